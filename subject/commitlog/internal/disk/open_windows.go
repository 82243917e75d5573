package disk

import (
	"os"
	"syscall"
)

// openFile lets a file that is open be renamed and removed, as elsewhere.
func openFile(path string, flag int) (*os.File, error) {
	wide, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	access, how := uint32(syscall.GENERIC_READ), uint32(syscall.OPEN_EXISTING)
	if flag&os.O_RDWR != 0 {
		access |= syscall.GENERIC_WRITE
	}
	if flag&os.O_CREATE != 0 {
		how = syscall.CREATE_NEW
	}
	share := uint32(syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE | syscall.FILE_SHARE_DELETE)
	handle, err := syscall.CreateFile(wide, access, share, nil, how, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
