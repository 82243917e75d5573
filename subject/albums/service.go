package albums

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
)

// mostBody is how long a request may be, in bytes.
const mostBody = 4096

// NewHandler serves a list over HTTP, with Gin.
func NewHandler(s Store) http.Handler {
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.CustomRecoveryWithWriter(io.Discard, func(c *gin.Context, _ any) { refuse(c, http.StatusInternalServerError, "the service failed") }))
	r.UseEscapedPath, r.UnescapePathValues = true, false // an ID can have a slash, %2F, and a plus, of which Gin makes a space
	r.GET("/albums", func(c *gin.Context) { list(c, s) })
	r.POST("/albums", func(c *gin.Context) { add(c, s) })
	r.GET("/albums/:id", func(c *gin.Context) { one(c, s) })
	r.HandleMethodNotAllowed = true
	r.NoRoute(func(c *gin.Context) { refuse(c, http.StatusNotFound, "there is /albums and /albums/ID") })
	r.NoMethod(func(c *gin.Context) { refuse(c, http.StatusMethodNotAllowed, "there is GET and POST") })
	return r
}

func list(c *gin.Context, s Store) {
	c.Header("Content-Type", "application/json; charset=utf-8")
	c.Status(http.StatusOK)
	s.WriteTo(c.Writer) // an error is that nobody reads any more
}

func add(c *gin.Context, s Store) {
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, mostBody)
	body, err := io.ReadAll(c.Request.Body)
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		refuse(c, http.StatusRequestEntityTooLarge, "the request has more than 4,096 bytes")
		return
	}
	var a Album
	if err = cmp.Or(err, json.Unmarshal(body, &a)); err != nil { // what stands behind it is an error, too
		refuse(c, http.StatusBadRequest, "no album in JSON: "+err.Error())
		return
	}
	if err := a.Check(); err != nil {
		refuse(c, http.StatusBadRequest, err.Error())
		return
	}
	switch err := s.Add(a); {
	case errors.Is(err, ErrExists):
		refuse(c, http.StatusConflict, err.Error())
	case errors.Is(err, ErrFull):
		refuse(c, http.StatusInsufficientStorage, err.Error())
	case err != nil:
		refuse(c, http.StatusInternalServerError, err.Error())
	default:
		c.JSON(http.StatusCreated, a)
	}
}

func one(c *gin.Context, s Store) {
	id, err := url.PathUnescape(c.Param("id"))
	a, there := s.Get(id)
	if err != nil || !there {
		refuse(c, http.StatusNotFound, "no album has this ID")
		return
	}
	c.JSON(http.StatusOK, a)
}

func refuse(c *gin.Context, status int, why string) {
	c.AbortWithStatusJSON(status, gin.H{"error": why})
}
