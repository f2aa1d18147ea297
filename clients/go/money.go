package breakwater

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Amount is money in whole cents. It is never a float: it is made by Minor or ParseAmount.
type Amount struct{ minor int64 }

// Decimal is a rate, a percent or a sum without a bound, exactly as it was written, such as "11.5".
type Decimal string

// Minor makes an amount of cents: Minor(50000000) is 500000.00.
func Minor(units int64) Amount { return Amount{units} }

// ParseAmount reads an amount such as "500000.00". It has at most two digits after the point.
func ParseAmount(text string) (Amount, error) {
	digits, isNegative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if whole == "" || len(fraction) > 2 || strings.ContainsAny(whole+fraction, "+-_eE") {
		return Amount{}, fmt.Errorf("%q is not an amount such as 500000.00", text)
	}
	minor, err := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	if err != nil {
		return Amount{}, fmt.Errorf("%q is not an amount such as 500000.00", text)
	}
	if isNegative {
		minor = -minor
	}
	return Amount{minor}, nil
}

// Minor returns the amount in cents.
func (amount Amount) Minor() int64 { return amount.minor }

// String writes the amount with two digits.
func (amount Amount) String() string {
	sign, minor := "", amount.minor
	if minor < 0 {
		sign, minor = "-", -minor
	}
	return fmt.Sprintf("%s%d.%02d", sign, minor/100, minor%100)
}

// MarshalJSON writes a number with two digits.
func (amount Amount) MarshalJSON() ([]byte, error) { return []byte(amount.String()), nil }

// UnmarshalJSON reads the digits that were sent, never through a float.
func (amount *Amount) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	read, err := ParseAmount(string(text))
	*amount = read
	return err
}

// MarshalJSON writes a number with at least two digits after the point.
func (decimal Decimal) MarshalJSON() ([]byte, error) {
	text := strings.TrimPrefix(string(decimal), "-")
	whole, fraction, _ := strings.Cut(text, ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return nil, errors.New("a decimal is a text such as 11.5")
	}
	if len(fraction) < 2 {
		fraction = (fraction + "00")[:2]
	}
	whole = strings.TrimLeft(whole[:len(whole)-1], "0") + whole[len(whole)-1:]
	return []byte(strings.Repeat("-", len(decimal)-len(text)) + whole + "." + fraction), nil
}

// UnmarshalJSON keeps the text.
func (decimal *Decimal) UnmarshalJSON(text []byte) error {
	if string(text) != "null" {
		*decimal = Decimal(text)
	}
	return nil
}
