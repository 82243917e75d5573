package results

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable replaces what a terminal would obey, or would show as nothing, by
// what Go writes for it in a string: \x1b, \n, \u202e. These are controls,
// line ends, bytes that are no UTF-8, every format character (those that change
// the direction of text and those without a width among them) and spaces but
// the usual one. A name that comes from a file or a peer is not to move the
// cursor, nor to pass for another.
func Printable(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(escaped(s[i : i+1]))
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(escaped(string(r)))
		}
	}
	return b.String()
}

// plain reports whether there is nothing to replace, as nearly always.
func plain(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

func escaped(s string) string {
	quoted := strconv.Quote(s)
	return quoted[1 : len(quoted)-1]
}

// OneLine makes a text printable and joins its lines: an error is told in one.
func OneLine(text string) string {
	return Printable(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; "))
}

// PrintableRecord returns the record with every string in it, names and levels
// of factors included, made printable. The record itself is left alone.
func PrintableRecord[T any](record T) T {
	v := reflect.ValueOf(record)
	return printable(v).Interface().(T)
}

// printable copies what holds strings. Pointers to what other packages keep to
// themselves, such as a histogram, are left.
func printable(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(Printable(v.String()))
	case reflect.Pointer:
		if of := v.Type().Elem(); !v.IsNil() && of.PkgPath() == reflect.TypeFor[Trial]().PkgPath() {
			out.Set(reflect.New(of))
			out.Elem().Set(printable(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(printable(v.Field(i)))
			}
		}
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(printable(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			break
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for key, value := range v.Seq2() {
			out.SetMapIndex(printable(key), printable(value))
		}
	}
	return out
}
