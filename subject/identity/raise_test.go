package identity

import (
	"context"
	"path/filepath"
	"testing"
)

// A raise that the disk does not take counts all the same: nothing is handed out below it,
// and what is said of the server is what the disk has. When the disk takes it the server goes
// on above.
func TestRaiseThatTheDiskDoesNotTake(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	k, err := OpenKept(dir, KeptOptions[uint64]{Options: Options[uint64]{Reply: Number}, Block: 100})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.NextN(ctx, 10); err != nil {
		t.Fatal(err)
	}
	if err := k.log.Close(); err != nil { // as on a full disk nothing can be appended
		t.Fatal(err)
	}
	if id, err := k.Next(ctx); err != nil || id != 11 {
		t.Errorf("of the block: %d, %v", id, err)
	}
	for range 2 {
		if err := k.Update(ctx, 500); err == nil {
			t.Error("raised, and the disk does not say so")
		}
		if id, err := k.Next(ctx); err == nil {
			t.Errorf("%d, below what it was raised to", id)
		}
		if k.Last() != 100 || k.Reserved() != 100 || k.Handed() != 11 {
			t.Errorf("last %d, reserved %d, handed out %d", k.Last(), k.Reserved(), k.Handed())
		}
	}
	if k.log, err = openLog(filepath.Join(dir, logName)); err != nil {
		t.Fatal(err)
	}
	if id, err := k.Next(ctx); err != nil || id != 501 || k.Last() != 501 {
		t.Errorf("%d, %v, last %d", id, err, k.Last())
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}
