// Package breakwater calls Breakwater, the service that breaks fixed deposits: exact amounts, safe retries, whole lists,
// checked webhooks.
//
// Every POST and PUT has an Idempotency-Key, and all attempts of one call send the same key and the same bytes, so a
// retry never pays twice.
package breakwater

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	mathrand "math/rand"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const retryAfterMax = 30 * time.Second

// Option changes how a client sends.
type Option func(*transport)

// WithRetries sets how often a call is tried again; 2 unless given.
func WithRetries(retries int) Option { return func(t *transport) { t.retries = retries } }

// WithTimeout limits each attempt; 30 seconds unless given.
func WithTimeout(timeout time.Duration) Option { return func(t *transport) { t.timeout = timeout } }

// New makes a client. The URL begins with https://, except on this machine.
func New(address, key string, options ...Option) (*Client, error) {
	base, err := url.Parse(strings.TrimSuffix(address, "/"))
	if err != nil || (base.Scheme != "https" && !(base.Scheme == "http" && isLoopback(base.Hostname()))) {
		return nil, errors.New("the URL must begin with https://, because the key is sent in each request")
	}
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the key must be one word, without a line end")
	}
	t := &transport{
		base: base.String(),
		// In a closure, so that no verb of fmt shows it.
		authorization: func() string { return "Bearer " + key },
		retries:       2,
		timeout:       30 * time.Second,
		client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
	for _, option := range options {
		option(t)
	}
	return (&Client{transport: t}).bind(), nil
}

// Response is what an answer says about itself.
type Response struct {
	Status    int
	RequestID string
	Replayed  bool
}

type callOptions struct {
	key      string
	response *Response
}

// CallOption changes one call.
type CallOption func(*callOptions)

// WithIdempotencyKey names the call: the same key and request get the same answer, also after a restart.
func WithIdempotencyKey(key string) CallOption { return func(o *callOptions) { o.key = key } }

// WithResponse fills in what the answer says about itself.
func WithResponse(response *Response) CallOption {
	return func(o *callOptions) { o.response = response }
}

// Error is a request that the service refused, or that it could not answer.
type Error struct {
	// Code is what to branch on; connection_failed where no answer came.
	Code      string
	Status    int
	Message   string
	Fields    []FieldError
	Details   map[string]json.RawMessage
	Retryable bool
	RequestID string `json:"request_id"`
	cause     error
	ask       func(context.Context, string) (*Approval, error)
}

// Error is the service's own sentence.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the error of the network.
func (e *Error) Unwrap() error { return e.cause }

// RequestApproval sends the same operation to be approved by others, after approval_required, once however often it is called.
func (e *Error) RequestApproval(ctx context.Context, note string) (*Approval, error) {
	if e.ask == nil {
		return nil, errors.New("only an operation that was refused with approval_required can wait for approval")
	}
	return e.ask(ctx, note)
}

// Page is one page of a list.
type Page[Item any] struct {
	Data       []Item
	HasMore    bool
	NextCursor string
}

// Pages reads a list page by page.
type Pages[Item any] struct {
	// Page reads one page; an empty cursor is the first.
	Page func(ctx context.Context, cursor string) (*Page[Item], error)
}

// All gives every record of the list, and ends with the first error.
func (p *Pages[Item]) All(ctx context.Context) iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		for cursor := ""; ; {
			page, err := p.Page(ctx, cursor)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Data {
				if !yield(&page.Data[i], nil) {
					return
				}
			}
			if cursor = page.NextCursor; !page.HasMore || cursor == "" {
				return
			}
		}
	}
}

type transport struct {
	base          string
	authorization func() string
	retries       int
	timeout       time.Duration
	client        *http.Client
}

type operation struct {
	id, method, path, target string
	query                    url.Values
	body                     any
	// A body that is a file of JSON lines.
	lines []byte
}

func record[Data any](ctx context.Context, t *transport, op operation, options []CallOption) (*Data, error) {
	var envelope struct{ Data *Data }
	err := t.run(ctx, op, options, &envelope)
	return envelope.Data, err
}

func pages[Item any](t *transport, op operation, options []CallOption) *Pages[Item] {
	return &Pages[Item]{func(ctx context.Context, cursor string) (*Page[Item], error) {
		asked := op
		asked.query = maps.Clone(op.query)
		setText(asked.query, "cursor", cursor)
		var envelope struct {
			Data []Item
			Meta struct {
				HasMore    bool    `json:"has_more"`
				NextCursor *string `json:"next_cursor"`
			}
		}
		if err := t.run(ctx, asked, options, &envelope); err != nil {
			return nil, err
		}
		page := &Page[Item]{Data: envelope.Data, HasMore: envelope.Meta.HasMore}
		if envelope.Meta.NextCursor != nil {
			page.NextCursor = *envelope.Meta.NextCursor
		}
		return page, nil
	}}
}

func lines[Item any](ctx context.Context, t *transport, op operation, options []CallOption) ([]Item, error) {
	whole, err := text(ctx, t, op, options)
	if err != nil {
		return nil, err
	}
	rows := strings.Split(strings.TrimSuffix(whole, "\n"), "\n")
	// The last line says how many there are, so that a file that was cut off is noticed.
	last := struct{ Rows *int }{}
	if err := json.Unmarshal([]byte(rows[len(rows)-1]), &last); err != nil || last.Rows == nil || *last.Rows != len(rows)-1 {
		return nil, errors.New("the file is not complete; ask for it again")
	}
	items := make([]Item, len(rows)-1)
	for i := range items {
		if err := json.Unmarshal([]byte(rows[i]), &items[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func bare(ctx context.Context, t *transport, op operation, options []CallOption) (json.RawMessage, error) {
	return t.send(ctx, op, options)
}

func text(ctx context.Context, t *transport, op operation, options []CallOption) (string, error) {
	payload, err := t.send(ctx, op, options)
	return string(payload), err
}

func (t *transport) run(ctx context.Context, op operation, options []CallOption, into any) error {
	payload, err := t.send(ctx, op, options)
	if err == nil {
		err = json.Unmarshal(payload, into)
	}
	return err
}

func (t *transport) send(ctx context.Context, op operation, options []CallOption) ([]byte, error) {
	given := callOptions{}
	for _, option := range options {
		option(&given)
	}
	body := op.lines
	if op.body != nil {
		encoded, err := json.Marshal(op.body)
		if err != nil {
			return nil, err
		}
		body = encoded
	}
	if given.key == "" && (op.method == "POST" || op.method == "PUT") {
		random := make([]byte, 16)
		rand.Read(random)
		given.key = hex.EncodeToString(random)
	}
	address := strings.TrimSuffix(t.base+op.path+"?"+op.query.Encode(), "?")
	response, payload, err := t.attempts(ctx, op, address, body, given.key)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		return nil, t.failure(response, payload, op, body, given.key)
	}
	if given.response != nil {
		*given.response = Response{
			Status:    response.StatusCode,
			RequestID: response.Header.Get("Request-Id"),
			Replayed:  response.Header.Get("Idempotent-Replayed") == "true",
		}
	}
	return payload, nil
}

func (t *transport) attempts(ctx context.Context, op operation, address string, body []byte, key string) (*http.Response, []byte, error) {
	for retry := 0; ; retry++ {
		wait := time.Duration(0.5 * math.Pow(2, float64(retry)) * (0.5 + mathrand.Float64()/2) * float64(time.Second))
		response, payload, err := t.attempt(ctx, op, address, body, key)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil && retry >= t.retries {
			return nil, nil, &Error{Code: "connection_failed", Message: t.base + " does not answer", Retryable: true, cause: err}
		}
		if err == nil {
			isRetried := response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable
			seconds, notGiven := strconv.Atoi(response.Header.Get("Retry-After"))
			asked := time.Duration(seconds) * time.Second
			if !isRetried || retry >= t.retries || (notGiven == nil && asked > retryAfterMax) {
				return response, payload, nil
			}
			if notGiven == nil {
				wait = asked
			}
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

func (t *transport) attempt(ctx context.Context, op operation, address string, body []byte, key string) (*http.Response, []byte, error) {
	limited, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, op.method, address, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Authorization", t.authorization())
	request.Header.Set("User-Agent", "breakwater-go/"+Version)
	if op.lines != nil {
		request.Header.Set("Content-Type", "application/x-ndjson")
	} else if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := t.client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	payload, err := io.ReadAll(response.Body)
	return response, payload, err
}

func (t *transport) failure(response *http.Response, payload []byte, op operation, body []byte, key string) error {
	var answer struct {
		Message string
		Error   *Error
	}
	if err := json.Unmarshal(payload, &answer); err != nil || answer.Error == nil {
		// A proxy may answer with something else than the service does.
		status := response.StatusCode
		return &Error{Code: fmt.Sprintf("http_%d", status), Status: status, Message: fmt.Sprintf("the answer was %d", status)}
	}
	e := answer.Error
	e.Status, e.Message = response.StatusCode, answer.Message
	if e.Code == CodeApprovalRequired {
		e.ask = func(ctx context.Context, note string) (*Approval, error) {
			asked := map[string]any{"operation": op.id, "body": json.RawMessage(cmp.Or(string(body), "{}"))}
			if op.target != "" {
				asked["target_id"] = op.target
			}
			if note != "" {
				asked["note"] = note
			}
			approval := operation{id: "requestApproval", method: "POST", path: "/v2/approvals", body: asked}
			// Derived from this call's key, so that asking twice is one request.
			derived := "approval-of-" + key
			return record[Approval](ctx, t, approval, []CallOption{WithIdempotencyKey(derived[:min(len(derived), 255)])})
		}
	}
	return e
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
