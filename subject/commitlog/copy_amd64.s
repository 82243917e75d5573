#include "go_asm.h"
#include "textflag.h"

// func copyShelved(dst *byte, room int, a *shelves, index uint64) (n int)
TEXT ·copyShelved(SB), NOSPLIT, $0-40
	MOVQ   a+16(FP), R8
	MOVQ   index+24(FP), R9
	MOVQ   R9, AX
	SUBQ   shelves_base(R8), AX
	XORL   DX, DX
	DIVQ   shelves_span(R8)       // it mostly lies there
	CMPQ   AX, (shelves_list+8)(R8)
	JCC    no
	IMUL3Q $shelf__size, AX, R10
	ADDQ   shelves_list(R8), R10
	MOVQ   R9, SI
	SUBQ   shelf_base(R10), SI
	CMPQ   SI, shelf_count(R10)
	JCC    no
	MOVQ   shelf_length(R10), DX
	CMPQ   DX, room+8(FP)
	JGT    short
	MOVQ   dst+0(FP), DI
	IMULQ  shelf_stride(R10), SI
	ADDQ   shelf_record(R10), SI
	MOVL   shelf_seed(R10), AX
	SHLQ   $32, R9
	ORQ    DX, R9
	BTSQ   $31, R9                // presentBit
	JMP    copyRecord<>(SB)

no:
	MOVQ $-1, n+32(FP)
	RET

short:
	MOVQ DX, n+32(FP)
	RET

// func copyEntry(dst, record *byte, head uint64, seed uint32) (n int)
TEXT ·copyEntry(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ record+8(FP), SI
	MOVQ head+16(FP), R9
	MOVL seed+24(FP), AX
	MOVQ R9, DX
	ANDQ $const_lengthMask, DX
	JMP  copyRecord<>(SB)

// copyRecord is the end of both, with n where they have it. DI is where the value
// goes, SI the record, DX the value's length, R9 the head that the record should
// have, more left out, AX the seed.
//
// The sum is that of the copy, with zeros behind it, so that a value that changed
// while it was copied is found out: none of its bytes is looked at twice. AX becomes
// the sum, CX the words that are still to be summed, R8 where they are, R10 what is
// left of the value behind the last word. No address depends on what is read.
TEXT copyRecord<>(SB), NOSPLIT|NOFRAME, $0
	MOVQ   4(SI), R8
	NOTL   AX
	CRC32Q R8, AX
	ANDQ   $~const_moreBit, R8
	CMPQ   R8, R9
	JNE    no

	// The copy comes first, in pieces of 32 bytes: it asks for the memory with few
	// loads. The last piece is the first, and the others overwrite what they share
	// with it, so that no word of the sum is of two stores.
	MOVQ    DX, R11
	SUBQ    $32, R11
	JLT     short
	VMOVDQU const_recordHeaderSize(SI)(R11*1), Y0
	VMOVDQU Y0, (DI)(R11*1)
	XORL    BX, BX

piece:
	VMOVDQU const_recordHeaderSize(SI)(BX*1), Y0
	VMOVDQU Y0, (DI)(BX*1)
	ADDQ    $32, BX
	CMPQ    BX, R11
	JLT     piece
	VZEROUPPER

sum:
	MOVQ DI, R8
	MOVQ DX, CX
	SHRQ $3, CX
	SUBQ $8, CX
	JLT  few

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
	SUBQ   $8, CX
	JGE    eight

few:
	ADDQ $8, CX
	JEQ  rest

word:
	CRC32Q (R8), AX
	ADDQ   $8, R8
	DECQ   CX
	JNE    word

rest:
	MOVQ -8(DI)(DX*1), R10

	// R10 is the last eight bytes of the value, of which DX modulo 8 are left.
left:
	MOVQ DX, CX
	ANDQ $7, CX
	JEQ  none
	SHLQ $3, CX
	NEGQ CX
	SHRQ CX, R10             // by 64 less than that, as shifts take it
	MOVQ DX, CX
	ANDQ $7, CX

	// R10 is what is left, of CX bytes.
last:
	CMPQ   CX, $4
	JLE    four
	CRC32Q R10, AX

none:
	XORL R10, R10

four:
	CRC32L R10, AX
	NOTL   AX
	CMPL   AX, (SI)
	JNE    no
	MOVQ   DX, 40(SP)
	RET

no:
	MOVQ $-1, 40(SP)
	RET

	// Less than 32 bytes: two pieces that overlap, of 16, 8 or 4 bytes, or three
	// of one byte. What is left behind the last word is still in a register.
short:
	CMPQ   DX, $16
	JLT    under16
	MOVOU  const_recordHeaderSize(SI), X0
	MOVOU  (const_recordHeaderSize-16)(SI)(DX*1), X1
	MOVOU  X1, -16(DI)(DX*1)
	MOVOU  X0, (DI)
	CRC32Q (DI), AX
	CRC32Q 8(DI), AX
	PEXTRQ $1, X1, R10
	CMPQ   DX, $24
	JLT    left
	CRC32Q 16(DI), AX
	JMP    left

under16:
	CMPQ   DX, $8
	JLT    under8
	MOVQ   const_recordHeaderSize(SI), R8
	MOVQ   (const_recordHeaderSize-8)(SI)(DX*1), R10
	MOVQ   R10, -8(DI)(DX*1)
	MOVQ   R8, (DI)
	CRC32Q R8, AX
	JMP    left

under8:
	CMPQ DX, $4
	JLT  under4
	MOVL const_recordHeaderSize(SI), R8
	MOVL (const_recordHeaderSize-4)(SI)(DX*1), R10
	MOVL R10, -4(DI)(DX*1)
	MOVL R8, (DI)
	MOVQ DX, CX
	SHLQ $3, CX
	NEGQ CX
	SHRQ CX, R10
	SHLQ $32, R10
	ORQ  R8, R10
	MOVQ DX, CX
	JMP  last

under4:
	MOVQ    DX, BX
	SHRQ    $1, BX
	MOVB    const_recordHeaderSize(SI), R8
	MOVB    const_recordHeaderSize(SI)(BX*1), R10
	MOVB    (const_recordHeaderSize-1)(SI)(DX*1), R11
	MOVB    R8, (DI)
	MOVB    R10, (DI)(BX*1)
	MOVB    R11, -1(DI)(DX*1)
	MOVBLZX (DI), R8             // two of the three may be one
	MOVBLZX (DI)(BX*1), R11
	MOVBLZX -1(DI)(DX*1), R10
	LEAQ    -8(DX*8), CX
	SHLQ    CX, R10
	SHLQ    $3, BX
	MOVQ    BX, CX
	SHLQ    CX, R11
	ORQ     R11, R10
	ORQ     R8, R10
	MOVQ    DX, CX
	JMP     last
