#include "go_asm.h"
#include "textflag.h"

// func putEntry(dst, value *byte, n int, head uint64, seed uint32)
//
// DI record, SI and R9 the next word of the value and its place, AX sum. The sum is
// taken of the words in registers, and nothing that the record's memory held is read.
TEXT ·putEntry(SB), NOSPLIT, $0-36
	MOVQ   dst+0(FP), DI
	MOVQ   value+8(FP), SI
	MOVQ   n+16(FP), CX
	MOVQ   head+24(FP), R8
	MOVL   seed+32(FP), AX
	NOTL   AX
	MOVQ   R8, 4(DI)
	CRC32Q R8, AX
	LEAQ   const_recordHeaderSize(DI), R9
	CMPQ   CX, ·foldFrom(SB)
	JGE    fold
	MOVQ   CX, DX
	ANDQ   $7, CX
	SHRQ   $3, DX
	JEQ    lone

words:
	MOVQ   (SI), R10
	MOVQ   R10, (R9)
	CRC32Q R10, AX
	ADDQ   $8, SI
	ADDQ   $8, R9
	DECQ   DX
	JNE    words

	// What is left of the value, CX bytes, with zeros behind: in R10.
tail:
	XORL  R10, R10
	TESTQ CX, CX
	JEQ   four
	MOVQ  -8(SI)(CX*1), R10
	MOVQ  CX, R11
	NEGQ  CX
	LEAQ  64(CX*8), CX
	SHRQ  CX, R10
	MOVQ  R11, CX

rest:
	CMPQ   CX, $4
	JLE    four
	MOVQ   R10, (R9)
	CRC32Q R10, AX
	ADDQ   $8, R9
	XORL   R10, R10

four:
	MOVL   R10, (R9)
	CRC32L R10, AX
	NOTL   AX
	MOVL   AX, (DI)
	RET

	// The same of a value of less than eight bytes.
lone:
	XORL  R10, R10
	CMPQ  CX, $4
	JLT   under4
	MOVL  (SI), R10
	MOVL  -4(SI)(CX*1), R11
	MOVQ  CX, DX
	LEAQ  -32(CX*8), CX
	SHLQ  CX, R11
	ORQ   R11, R10
	MOVQ  DX, CX
	JMP   rest

under4:
	TESTQ   CX, CX
	JEQ     four
	MOVBLZX (SI), R10
	CMPQ    CX, $2
	JLT     four
	MOVBLZX 1(SI), R11
	SHLL    $8, R11
	ORL     R11, R10
	CMPQ    CX, $3
	JLT     four
	MOVBLZX 2(SI), R11
	SHLL    $16, R11
	ORL     R11, R10
	JMP     four

	// Pieces of 64 bytes are copied and folded into one, Z17, as copyRecord does. Its
	// words go to the sum by way of memory, where the first piece, Z16, will be.
fold:
	VMOVDQU64       (SI), Z16
	VMOVD           AX, X18
	VPXORQ          Z16, Z18, Z17
	VBROADCASTI32X4 ·fold512(SB), Z19
	SUBQ            $128, CX

next:
	ADDQ       $64, SI
	ADDQ       $64, R9
	VMOVDQU64  (SI), Z20
	VMOVDQU64  Z20, (R9)
	VPCLMULQDQ $0x00, Z19, Z17, Z18
	VPCLMULQDQ $0x11, Z19, Z17, Z17
	VPTERNLOGQ $0x96, Z20, Z18, Z17
	SUBQ       $64, CX
	JGE        next
	VMOVDQU64  Z17, const_recordHeaderSize(DI)
	XORL       AX, AX
	CRC32Q     const_recordHeaderSize(DI), AX
	CRC32Q     (const_recordHeaderSize+8)(DI), AX
	CRC32Q     (const_recordHeaderSize+16)(DI), AX
	CRC32Q     (const_recordHeaderSize+24)(DI), AX
	CRC32Q     (const_recordHeaderSize+32)(DI), AX
	CRC32Q     (const_recordHeaderSize+40)(DI), AX
	CRC32Q     (const_recordHeaderSize+48)(DI), AX
	CRC32Q     (const_recordHeaderSize+56)(DI), AX
	VMOVDQU64  Z16, const_recordHeaderSize(DI)
	ADDQ       $64, SI
	ADDQ       $64, R9
	ADDQ       $64, CX
	MOVQ       CX, DX
	ANDQ       $7, CX
	SHRQ       $3, DX
	JNE        words
	JMP        tail

// Multiplied by these, without carries, the halves of 16 bytes count for the sum
// what they do 512 bits earlier: x^(512+32) and x^(512-32) modulo the polynomial of
// crc32c, bits reversed, shifted by one (Gopal et al., "Fast CRC Computation for
// Generic Polynomials Using PCLMULQDQ Instruction", Intel 2009).
DATA ·fold512+0(SB)/8, $0x740eef02
DATA ·fold512+8(SB)/8, $0x9e4addf8
GLOBL ·fold512(SB), RODATA|NOPTR, $16
