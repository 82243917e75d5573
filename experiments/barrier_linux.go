//go:build linux && (amd64 || arm64) && !race

package experiments

import "golang.org/x/sys/unix"

// Commands of membarrier(2).
const (
	privateExpedited         = 1 << 3
	registerPrivateExpedited = 1 << 4
)

// barrier returns a call after which every processor that runs this process
// has made its earlier stores visible: membarrier(2), private expedited. It is
// nil where the kernel has none or a sandbox forbids it.
func barrier() func() {
	if !membarrier(registerPrivateExpedited) {
		return nil
	}
	return func() {
		if !membarrier(privateExpedited) {
			panic("membarrier fails after it was registered") // the kernel's manual rules it out
		}
	}
}

func membarrier(command uintptr) bool {
	_, _, errno := unix.Syscall(unix.SYS_MEMBARRIER, command, 0, 0)
	return errno == 0
}
