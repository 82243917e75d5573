#include "go_asm.h"
#include "textflag.h"

// func copyEntry(dst, record *byte, n int, head uint64, seed uint32) bool
//
// SI record, CX what of it is still to be summed, R8 where that is, AX sum. The
// copy comes first, in pieces of 32 bytes: it asks for the memory with few loads,
// and the sum's loads of 8 find it asked for. No address depends on what is read.
TEXT ·copyEntry(SB), NOSPLIT, $0-41
	MOVQ dst+0(FP), DI
	MOVQ record+8(FP), SI
	MOVQ n+16(FP), DX
	MOVQ 4(SI), R8
	ANDQ $~const_moreBit, R8
	CMPQ R8, head+24(FP)
	JNE  no
	LEAQ (const_recordHeaderSize+const_alignment-1-8)(DX), CX
	ANDQ $~(const_alignment-1), CX
	MOVQ DX, BX
	SUBQ $32, BX
	JLT  short

	// From the last piece on; the first two overlap.
pieces:
	VMOVDQU const_recordHeaderSize(SI)(BX*1), Y0
	VMOVDQU Y0, (DI)(BX*1)
	SUBQ    $32, BX
	JHI     pieces
	VMOVDQU const_recordHeaderSize(SI), Y0
	VMOVDQU Y0, (DI)
	VZEROUPPER

sum:
	MOVL   seed+32(FP), AX
	NOTL   AX
	CRC32L 4(SI), AX
	LEAQ   8(SI), R8
	SUBQ   $64, CX
	JLT    few

eight:
	CRC32Q (R8), AX
	CRC32Q 8(R8), AX
	CRC32Q 16(R8), AX
	CRC32Q 24(R8), AX
	CRC32Q 32(R8), AX
	CRC32Q 40(R8), AX
	CRC32Q 48(R8), AX
	CRC32Q 56(R8), AX
	ADDQ   $64, R8
	SUBQ   $64, CX
	JGE    eight

few:
	ADDQ $64, CX
	JEQ  summed

word:
	CRC32Q (R8), AX
	ADDQ   $8, R8
	SUBQ   $8, CX
	JNE    word

summed:
	NOTL  AX
	CMPL  AX, (SI)
	SETEQ ret+40(FP)
	RET

no:
	MOVB $0, ret+40(FP)
	RET

	// Less than 32 bytes: two pieces that overlap, of 16, 8 or 4 bytes, or three
	// of one byte.
short:
	CMPQ  DX, $16
	JLT   under16
	MOVOU const_recordHeaderSize(SI), X0
	MOVOU (const_recordHeaderSize-16)(SI)(DX*1), X1
	MOVOU X0, (DI)
	MOVOU X1, -16(DI)(DX*1)
	JMP   sum

under16:
	CMPQ DX, $8
	JLT  under8
	MOVQ const_recordHeaderSize(SI), R8
	MOVQ (const_recordHeaderSize-8)(SI)(DX*1), R10
	MOVQ R8, (DI)
	MOVQ R10, -8(DI)(DX*1)
	JMP  sum

under8:
	CMPQ DX, $4
	JLT  under4
	MOVL const_recordHeaderSize(SI), R8
	MOVL (const_recordHeaderSize-4)(SI)(DX*1), R10
	MOVL R8, (DI)
	MOVL R10, -4(DI)(DX*1)
	JMP  sum

under4:
	MOVQ DX, BX
	SHRQ $1, BX
	MOVB const_recordHeaderSize(SI), R8
	MOVB const_recordHeaderSize(SI)(BX*1), R10
	MOVB (const_recordHeaderSize-1)(SI)(DX*1), R11
	MOVB R8, (DI)
	MOVB R10, (DI)(BX*1)
	MOVB R11, -1(DI)(DX*1)
	JMP  sum

// func putEntry(dst, value *byte, n int, head uint64, seed uint32)
//
// DI record, SI and R9 the next word of the value and its place, AX sum. The sum is
// taken of the words in registers: the record itself is never read.
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
