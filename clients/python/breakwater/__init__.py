"""Calls Breakwater, the service that breaks fixed deposits: exact amounts, safe retries, whole lists, checked webhooks."""

from .client import Breakwater
from .transport import BreakwaterError, Page, Pages, Response, WebhookError, minor, verify_webhook

__all__ = [
    "Breakwater",
    "BreakwaterError",
    "Page",
    "Pages",
    "Response",
    "WebhookError",
    "minor",
    "verify_webhook",
]
