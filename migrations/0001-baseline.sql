-- The tables of the earlier release at its version 45, column for column. SQL defaults are ours.
-- In a file of the earlier release they are all there already.

CREATE TABLE IF NOT EXISTS users (
  id INTEGER NOT NULL PRIMARY KEY,
  email VARCHAR(320) UNIQUE,
  password_hash VARCHAR(300),
  is_guest BOOLEAN NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL,
  last_seen_at DATETIME,
  demo_turns_used INTEGER NOT NULL DEFAULT 0,
  demo_turns_date VARCHAR(10) NOT NULL DEFAULT ''
);

CREATE TABLE IF NOT EXISTS settings (
  id INTEGER NOT NULL PRIMARY KEY,
  user_id INTEGER UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  endpoint_url VARCHAR(500) NOT NULL DEFAULT '',
  api_key VARCHAR(500) NOT NULL DEFAULT '',
  model VARCHAR(200) NOT NULL DEFAULT '',
  api_mode VARCHAR(20) NOT NULL DEFAULT 'chat',
  temperature FLOAT NOT NULL DEFAULT 0.8,
  max_output_tokens INTEGER NOT NULL DEFAULT 800,
  reasoning_max_tokens INTEGER NOT NULL DEFAULT 0,
  context_token_budget INTEGER NOT NULL DEFAULT 16384,
  narrator_prompt TEXT NOT NULL,
  stream BOOLEAN NOT NULL DEFAULT 1,
  summary_model VARCHAR(200) NOT NULL DEFAULT '',
  embedding_model VARCHAR(200) NOT NULL DEFAULT '',
  memory_bank_capacity INTEGER NOT NULL DEFAULT 80,
  memory_top_k INTEGER NOT NULL DEFAULT 5
);

CREATE TABLE IF NOT EXISTS scenarios (
  id INTEGER NOT NULL PRIMARY KEY,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  is_public BOOLEAN NOT NULL DEFAULT 0,
  title VARCHAR(200) NOT NULL DEFAULT 'Untitled Scenario',
  description TEXT NOT NULL DEFAULT '',
  prompt TEXT NOT NULL DEFAULT '',
  memory TEXT NOT NULL DEFAULT '',
  authors_note TEXT NOT NULL DEFAULT '',
  ai_instructions TEXT NOT NULL DEFAULT '',
  tags VARCHAR(500) NOT NULL DEFAULT '',
  image TEXT NOT NULL DEFAULT '',
  icon VARCHAR(16) NOT NULL DEFAULT '',
  stat_schema JSON,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL
);

CREATE TABLE IF NOT EXISTS adventures (
  id INTEGER NOT NULL PRIMARY KEY,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  scenario_id INTEGER REFERENCES scenarios (id) ON DELETE SET NULL,
  title VARCHAR(200) NOT NULL DEFAULT 'Untitled Adventure',
  memory TEXT NOT NULL DEFAULT '',
  authors_note TEXT NOT NULL DEFAULT '',
  ai_instructions TEXT NOT NULL DEFAULT '',
  story_summary TEXT NOT NULL DEFAULT '',
  script_state JSON NOT NULL DEFAULT '{}',
  world_state JSON NOT NULL DEFAULT '{}',
  placeholders JSON,
  auto_summarize BOOLEAN NOT NULL DEFAULT 0,
  memory_bank_enabled BOOLEAN NOT NULL DEFAULT 0,
  memory_cursor INTEGER NOT NULL DEFAULT 0,
  summary_cursor INTEGER NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL
);

CREATE TABLE IF NOT EXISTS actions (
  id INTEGER NOT NULL PRIMARY KEY,
  adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
  "index" INTEGER NOT NULL,
  type VARCHAR(20) NOT NULL,
  text TEXT NOT NULL DEFAULT '',
  reasoning TEXT,
  context_snapshot BLOB,
  world_delta JSON,
  state_before JSON,
  world_state_before JSON,
  variants JSON,
  variant_count INTEGER NOT NULL DEFAULT 0,
  variant_index INTEGER NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL
);

CREATE TABLE IF NOT EXISTS memories (
  id INTEGER NOT NULL PRIMARY KEY,
  adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
  text TEXT NOT NULL DEFAULT '',
  embedding_blob BLOB,
  source_start INTEGER,
  source_end INTEGER,
  embedded BOOLEAN NOT NULL DEFAULT 0,
  pinned BOOLEAN NOT NULL DEFAULT 0,
  forgotten BOOLEAN NOT NULL DEFAULT 0,
  use_count INTEGER NOT NULL DEFAULT 0,
  last_used_at DATETIME,
  created_at DATETIME NOT NULL
);

CREATE TABLE IF NOT EXISTS story_cards (
  id INTEGER NOT NULL PRIMARY KEY,
  scenario_id INTEGER REFERENCES scenarios (id) ON DELETE CASCADE,
  adventure_id INTEGER REFERENCES adventures (id) ON DELETE CASCADE,
  type VARCHAR(100) NOT NULL DEFAULT '',
  name VARCHAR(200) NOT NULL DEFAULT '',
  keys TEXT NOT NULL DEFAULT '',
  entry TEXT NOT NULL DEFAULT '',
  notes TEXT NOT NULL DEFAULT '',
  source_ref VARCHAR(64)
);

-- Inert: what served removed features. Never read, never written.

CREATE TABLE IF NOT EXISTS scripts (
  id INTEGER NOT NULL PRIMARY KEY,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  name VARCHAR(200) NOT NULL DEFAULT 'Untitled Script',
  description TEXT NOT NULL DEFAULT '',
  library_js TEXT NOT NULL DEFAULT '',
  input_js TEXT NOT NULL DEFAULT '',
  context_js TEXT NOT NULL DEFAULT '',
  output_js TEXT NOT NULL DEFAULT '',
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL
);

CREATE TABLE IF NOT EXISTS scenario_scripts (
  scenario_id INTEGER NOT NULL REFERENCES scenarios (id) ON DELETE CASCADE,
  script_id INTEGER NOT NULL REFERENCES scripts (id) ON DELETE CASCADE,
  PRIMARY KEY (scenario_id, script_id)
);

CREATE TABLE IF NOT EXISTS adventure_scripts (
  id INTEGER NOT NULL PRIMARY KEY,
  adventure_id INTEGER NOT NULL REFERENCES adventures (id) ON DELETE CASCADE,
  source_script_id INTEGER REFERENCES scripts (id) ON DELETE SET NULL,
  position INTEGER NOT NULL DEFAULT 0,
  enabled BOOLEAN NOT NULL DEFAULT 1,
  name VARCHAR(200) NOT NULL DEFAULT 'Untitled Script',
  description TEXT NOT NULL DEFAULT '',
  library_js TEXT NOT NULL DEFAULT '',
  input_js TEXT NOT NULL DEFAULT '',
  context_js TEXT NOT NULL DEFAULT '',
  output_js TEXT NOT NULL DEFAULT ''
);

CREATE TABLE IF NOT EXISTS analytics_daily (
  id INTEGER NOT NULL PRIMARY KEY,
  day VARCHAR(10) NOT NULL,
  metric VARCHAR(32) NOT NULL,
  label VARCHAR(80) NOT NULL DEFAULT '',
  hits INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT uq_analytics_daily_bucket UNIQUE (day, metric, label)
);

CREATE TABLE IF NOT EXISTS analytics_visitor_days (
  id INTEGER NOT NULL PRIMARY KEY,
  day VARCHAR(10) NOT NULL,
  visitor VARCHAR(32) NOT NULL,
  is_new BOOLEAN NOT NULL DEFAULT 0,
  opened BOOLEAN NOT NULL DEFAULT 0,
  created BOOLEAN NOT NULL DEFAULT 0,
  played BOOLEAN NOT NULL DEFAULT 0,
  signed_up BOOLEAN NOT NULL DEFAULT 0,
  CONSTRAINT uq_analytics_visitor_day UNIQUE (day, visitor)
);
