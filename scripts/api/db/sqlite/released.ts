/** SQLite's own first migrations. None may change or be added: all later ones are in `migrations.ts`. */
export const RELEASED: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE products (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)),
    title TEXT NOT NULL,
    unit_paise INTEGER NOT NULL CHECK (unit_paise >= 0),
    wire TEXT NOT NULL
  ) STRICT;

  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);

  CREATE TABLE orders (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    status INTEGER NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 4),
    created_at INTEGER NOT NULL,
    total_paise INTEGER NOT NULL CHECK (total_paise >= 0),
    address TEXT NOT NULL,
    lines TEXT
  ) STRICT;
  CREATE INDEX orders_by_user ON orders (user_id, number);

  CREATE TABLE order_items (
    order_number INTEGER NOT NULL REFERENCES orders (number),
    position INTEGER NOT NULL,
    product_id TEXT NOT NULL REFERENCES products (id),
    title TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 9999),
    unit_paise INTEGER NOT NULL CHECK (unit_paise > 0),
    PRIMARY KEY (order_number, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE order_keys (
    user_id TEXT NOT NULL REFERENCES users (id),
    key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE payments (
    reference TEXT PRIMARY KEY,
    order_number INTEGER NOT NULL REFERENCES orders (number),
    method TEXT NOT NULL,
    amount_paise INTEGER NOT NULL,
    currency TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('started', 'failed', 'paid', 'flagged', 'refund_due')),
    return_origin TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX payments_by_order ON payments (order_number);
  CREATE UNIQUE INDEX one_capture_an_order ON payments (order_number) WHERE state = 'paid';
  `,
  'CREATE TABLE pictures (name TEXT PRIMARY KEY, etag TEXT NOT NULL, bytes BLOB NOT NULL) STRICT',
  'ALTER TABLE products ADD COLUMN version INTEGER NOT NULL DEFAULT 1',
  `
  CREATE TABLE staff (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'packer')),
    password_hash TEXT,
    version INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE staff_sessions (
    token_hash TEXT PRIMARY KEY,
    staff_id TEXT NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX staff_sessions_by_staff ON staff_sessions (staff_id);

  CREATE TABLE staff_links (
    token_hash TEXT PRIMARY KEY,
    staff_id TEXT NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX staff_links_by_staff ON staff_links (staff_id);

  CREATE TABLE office_forms (
    number TEXT NOT NULL,
    staff_id TEXT NOT NULL,
    location TEXT NOT NULL,
    message TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (staff_id, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX office_forms_by_time ON office_forms (used_at);

  CREATE TABLE office_log (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    staff_id TEXT,
    who TEXT NOT NULL,
    action TEXT NOT NULL,
    target_type TEXT NOT NULL,
    target_id TEXT NOT NULL,
    from_json TEXT,
    to_json TEXT
  ) STRICT;
  CREATE INDEX office_log_by_target ON office_log (target_type, target_id, number);
  CREATE INDEX office_log_by_who ON office_log (who, number);
  CREATE TRIGGER office_log_keeps_rows BEFORE DELETE ON office_log
    BEGIN SELECT RAISE(ABORT, 'office_log only grows'); END;
  CREATE TRIGGER office_log_keeps_values BEFORE UPDATE ON office_log
    BEGIN SELECT RAISE(ABORT, 'office_log only grows'); END;
  CREATE TRIGGER office_log_replaces_nothing BEFORE INSERT ON office_log
    WHEN NEW.number IN (SELECT number FROM office_log)
    BEGIN SELECT RAISE(ABORT, 'office_log only grows'); END;
  `,
  // The columns that are searched come from the address, so that the office finds every order.
  `
  ALTER TABLE orders ADD COLUMN tracking TEXT;
  ALTER TABLE orders ADD COLUMN recipient TEXT
    GENERATED ALWAYS AS (lower(json_extract(address, '$.fullName'))) VIRTUAL;
  ALTER TABLE orders ADD COLUMN phone TEXT GENERATED ALWAYS AS (substr(
    replace(replace(replace(replace(replace(replace(json_extract(address, '$.phone'),
      ' ', ''), '-', ''), '(', ''), ')', ''), '+', ''), '.', ''), -10)) VIRTUAL;
  ALTER TABLE orders ADD COLUMN postal_code TEXT
    GENERATED ALWAYS AS (replace(json_extract(address, '$.postalCode'), ' ', '')) VIRTUAL;
  CREATE INDEX orders_by_recipient ON orders (recipient, phone, postal_code);
  CREATE INDEX orders_by_status ON orders (status, number);
  CREATE INDEX orders_by_time ON orders (created_at);

  CREATE INDEX payments_to_look_at ON payments (changed_at) WHERE state IN ('flagged', 'refund_due');
  CREATE TABLE payment_reports (
    reference TEXT PRIMARY KEY REFERENCES payments (reference) ON DELETE CASCADE,
    amount_paise INTEGER,
    currency TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE payments_dealt_with (
    reference TEXT PRIMARY KEY REFERENCES payments (reference) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    note TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
