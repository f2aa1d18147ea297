-- What the change under a key made, beside the text of its answer: a door that answers with something else than the
-- text finds it there, without reading the text again. Null in answers of earlier versions, and where nothing asks for it.

alter table idempotency_keys add column made_id text;
