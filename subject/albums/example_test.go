package albums_test

import (
	"fmt"
	"os"

	"github.com/syncwrite/syncwrite/subject/albums"
)

func ExampleNewSnapshot() {
	list := albums.NewSnapshot(albums.Options{})
	list.Add(albums.Album{ID: "1", Title: "Blue Train", Artist: "John Coltrane", Price: 56.99})
	fmt.Println(list.Add(albums.Album{ID: "1", Title: "Jeru", Artist: "Gerry Mulligan", Price: 17.99}))
	list.WriteTo(os.Stdout)
	// Output:
	// add album "1": an album with this ID is there
	// [{"id":"1","title":"Blue Train","artist":"John Coltrane","price":56.99}]
}
