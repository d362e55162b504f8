// Prints what gofeed reads in each file of a folder, as JSON by file name: its items, or why it fails.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/mmcdole/gofeed"
)

type item struct {
	Title      string   `json:"title"`
	Link       string   `json:"link"`
	Published  string   `json:"published"`
	Authors    []string `json:"authors"`
	Content    string   `json:"content"`
	Enclosures []string `json:"enclosures"`
}

func main() {
	files, err := os.ReadDir(os.Args[1])
	if err != nil {
		panic(err)
	}
	seen := map[string]any{}
	for _, file := range files {
		seen[file.Name()] = read(filepath.Join(os.Args[1], file.Name()))
	}
	if err := json.NewEncoder(os.Stdout).Encode(seen); err != nil {
		panic(err)
	}
}

func read(path string) any {
	file, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	feed, err := gofeed.NewParser().Parse(file)
	if err != nil {
		return err.Error()
	}
	items := []item{}
	for _, found := range feed.Items {
		items = append(items, shown(found))
	}
	return items
}

func shown(found *gofeed.Item) item {
	authors := []string{}
	for _, author := range found.Authors {
		name := author.Name
		if name == "" {
			name = author.Email
		}
		authors = append(authors, name)
	}
	enclosures := []string{}
	for _, part := range found.Enclosures {
		enclosures = append(enclosures, part.URL)
	}
	content := found.Content
	if content == "" {
		content = found.Description
	}
	published := found.PublishedParsed
	if published == nil {
		published = found.UpdatedParsed
	}
	date := ""
	if published != nil {
		date = published.UTC().Format(time.RFC3339)
	}
	return item{found.Title, found.Link, date, authors, content, enclosures}
}
