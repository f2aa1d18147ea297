#!/usr/bin/env python3
"""check-proof.py PROOF.json HEAD: checks the proof of an event against the head of a seal that somebody kept.
PROOF.json is the response of GET /v2/events/{event_id}/proof?seal_no=N, HEAD the head of seal N as it was kept."""
import hashlib, json, sys

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def root_of(node, index, last, path):
    """RFC 9162, section 2.1.3.2; last is the index of the last leaf."""
    for sibling in path:
        if index % 2 == 1 or index == last:
            node = sha256(b"\x01", sibling, node)
            while index % 2 == 0 and index > 0:
                index, last = index // 2, last // 2
        else:
            node = sha256(b"\x01", node, sibling)
        index, last = index // 2, last // 2
    return node if last == 0 else b""

def fault_of(proof, kept):
    _, _, _, _, events, entries, root, _, _ = json.loads(proof["seal_text"])
    leaf = sha256(b"\x00", proof["leaf"].encode())
    path = [bytes.fromhex(sibling) for sibling in proof["path"]]
    if root_of(leaf, proof["leaf_index"], events + entries - 1, path).hex() != root:
        return "the event is not in the seal"
    if proof["links"][0]["text_hash"] != sha256(b"\x00", proof["seal_text"].encode()).hex():
        return "the chain does not begin with the seal"
    head = b""
    for link in proof["links"]:
        heads = [bytes.fromhex(link[name]) if link[name] else head for name in ("previous_head", "earlier_head")]
        head = sha256(b"\x02", *heads, bytes.fromhex(link["text_hash"]))
    return None if head.hex() == kept else "the chain leads to another head"

if __name__ == "__main__":
    answer = json.load(open(sys.argv[1], encoding="utf-8"))
    if answer["data"] is None: sys.exit(f"Not proven: {answer['message']}")
    fault = fault_of(answer["data"], sys.argv[2])
    print(f"Not proven: {fault}." if fault else f"Proven: {answer['data']['leaf']}")
    sys.exit(1 if fault else 0)
