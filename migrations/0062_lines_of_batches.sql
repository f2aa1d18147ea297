-- The lines of a batch that were not carried out, and the part that has a line, are found without reading those before
-- them. Most lines are carried out, and are in no further index.
create index batch_lines_not_carried_out on batch_lines (book_id, batch_id, outcome, line)
  where outcome in ('FAILED', 'DUPLICATE');
create index batch_parts_by_line on batch_parts (book_id, batch_id, first_line);

-- The lines of a person's file on which the lines of a part began, as a JSON array; null where they are the same.
alter table batch_parts add column file_lines text;
