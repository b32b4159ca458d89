// Sends its input: upload.go URL chunked|counted LENGTH. Writes the answer, and the status or an error.
// Input that ends early is an error of the input if the body is chunked; else net/http has to see it.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
)

type input struct {
	left    int64
	checked bool
}

func (in *input) Read(buffer []byte) (int, error) {
	count, err := os.Stdin.Read(buffer)
	in.left -= int64(count)
	if err == io.EOF && in.checked && in.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return count, err
}

func main() {
	length, _ := strconv.ParseInt(os.Args[3], 10, 64)
	chunked := os.Args[2] == "chunked"
	request, err := http.NewRequest("POST", os.Args[1], &input{length, chunked})
	if err == nil {
		if !chunked {
			request.ContentLength = length
		}
		err = send(request)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func send(request *http.Request) error {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(response.Body)
	fmt.Printf("%s%d\n", body, response.StatusCode)
	return err
}
