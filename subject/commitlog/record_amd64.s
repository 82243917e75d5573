#include "go_asm.h"
#include "textflag.h"

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
