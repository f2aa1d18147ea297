package breakwater

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrWebhook is a message that is forged, changed, too old, or no webhook.
var ErrWebhook = errors.New("the webhook is not valid")

// VerifyWebhook gives the event of a message, by Standard Webhooks 1.0. The body is what was received, before anything
// parsed it. Give both secrets while a secret is being rotated. A message may be 5 minutes old.
func VerifyWebhook(body []byte, headers http.Header, secrets ...string) (*Event, error) {
	return VerifyWebhookAt(body, headers, time.Now(), 5*time.Minute, secrets...)
}

// VerifyWebhookAt is VerifyWebhook with another time and tolerance.
func VerifyWebhookAt(body []byte, headers http.Header, now time.Time, tolerance time.Duration, secrets ...string) (*Event, error) {
	id, timestamp, signatures := headers.Get("Webhook-Id"), headers.Get("Webhook-Timestamp"), headers.Get("Webhook-Signature")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || signatures == "" || err != nil {
		return nil, ErrWebhook
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return nil, ErrWebhook
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			return nil, errors.New("a webhook secret begins with whsec_")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		own := mac.Sum(nil)
		for _, signature := range strings.Fields(signatures) {
			version, encoded, _ := strings.Cut(signature, ",")
			given, err := base64.StdEncoding.DecodeString(encoded)
			// hmac.Equal takes the same time wherever they differ.
			if version == "v1" && err == nil && hmac.Equal(own, given) {
				event := &Event{}
				return event, json.Unmarshal(body, event)
			}
		}
	}
	return nil, ErrWebhook
}
