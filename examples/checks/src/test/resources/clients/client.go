// Writes what it gets as it comes; ends with 1 if the body is cut.
package main

import (
	"io"
	"net/http"
	"os"
)

func main() {
	response, err := http.Get(os.Args[1])
	if err == nil {
		_, err = io.Copy(os.Stdout, response.Body)
	}
	if err != nil {
		os.Exit(1)
	}
}
