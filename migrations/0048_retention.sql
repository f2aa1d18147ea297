-- How large the database was, one row a day, so that `breakwater status` can say how fast it grows.
create table database_sizes (
  taken_on date not null,
  bytes bigint not null,
  primary key (taken_on),
  check (bytes >= 0)
);
