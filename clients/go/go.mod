module github.com/breakwater/breakwater/clients/go

go 1.23
