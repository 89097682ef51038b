import ActionLogs

/// The tables of a log, in their own schema.
enum Schema {
  /// The version, which increases when the tables change.
  private static let format: Int64 = 1

  /// Creates the tables if they do not exist, or changes those of older releases, whose servers can
  /// go on.
  ///
  /// - Parameter mayCreate: Whether they may not exist yet. If they did before, a backup may be being
  ///   restored, and new ones would be in the way.
  /// - Throws: ``SessionError``; ``ActionLogError`` with code `foreign` if a newer release created
  ///   them.
  static func prepare(_ session: Session, mayCreate: Bool) throws {
    if try session.run("SELECT to_regclass('action_log.base') IS NULL").first?.bytes(0).first == 1 {
      guard mayCreate else {
        throw SessionError(kind: .lost, message: "The database has lost the tables of the log.")
      }
      try session.run(script: Self.script)
    }
    guard let format = try session.run("SELECT format FROM action_log.head").first?.number(0) else {
      throw SessionError(kind: .lost, message: "The tables of the log are empty.")
    }
    guard format == Self.format else {
      throw ActionLogError(
        code: .foreign,
        message: "The log has format \(format), and this program knows \(Self.format). "
          + "Start a release that knows it."
      )
    }
  }

  /// Several servers may start at the same time; only the first one creates the tables.
  ///
  /// Every append locks the row of `base` until its commit. So sequence numbers have no gaps, and
  /// commits become visible in order; PostgreSQL's own sequences guarantee neither. A lock is
  /// written like a change, even if nothing is appended, so an answer waits until the data it is
  /// based on is on the standby.
  ///
  /// An append does not change the row, because each change leaves a dead version, which PostgreSQL
  /// cannot remove while an older transaction is open. The newest entry says where the log ends, or
  /// the newest snapshot if a server of an older release has removed that entry, or `base`. That is
  /// where the log began: after no entry, or where it ended when `base` was made from the table
  /// `head` of an older release.
  ///
  /// Servers of that release find the same columns in the view `head`, and call the new function.
  /// Only a call that already waits for the table when it is renamed runs the old function, which
  /// ends with a change of `head`. The trigger refuses it with a state after which the server
  /// connects again and repeats the call.
  private static let script = """
    BEGIN;
    SELECT pg_advisory_xact_lock(4713102861);
    DO $$ BEGIN
      -- Even with IF NOT EXISTS, the role would need the right to create schemas.
      IF to_regnamespace('action_log') IS NULL THEN
        CREATE SCHEMA action_log;
      END IF;
      IF to_regclass('action_log.base') IS NULL THEN
        ALTER TABLE IF EXISTS action_log.head RENAME TO base;
      END IF;
    END $$;
    CREATE TABLE IF NOT EXISTS action_log.base (
      is_head boolean PRIMARY KEY DEFAULT true CHECK (is_head),
      format int8 NOT NULL,
      sequence int8 NOT NULL,
      reducer int8 NOT NULL
    );
    INSERT INTO action_log.base (format, sequence, reducer) VALUES (\(Self.format), 0, 0)
      ON CONFLICT DO NOTHING;
    CREATE TABLE IF NOT EXISTS action_log.entry (
      sequence int8 PRIMARY KEY,
      action_id text NOT NULL UNIQUE,
      product text NOT NULL,
      reducer int8 NOT NULL,
      node text NOT NULL,
      payload bytea NOT NULL,
      appended timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE TABLE IF NOT EXISTS action_log.snapshot (
      sequence int8 PRIMARY KEY,
      reducer int8 NOT NULL,
      digest text NOT NULL,
      state bytea NOT NULL
    );
    CREATE OR REPLACE VIEW action_log.head AS
      SELECT is_head, format,
        greatest(
          sequence,
          (SELECT max(sequence) FROM action_log.entry),
          (SELECT max(sequence) FROM action_log.snapshot)
        ) AS sequence,
        greatest(
          reducer,
          (SELECT reducer FROM action_log.entry ORDER BY sequence DESC LIMIT 1),
          (SELECT reducer FROM action_log.snapshot ORDER BY sequence DESC LIMIT 1)
        ) AS reducer
      FROM action_log.base;
    CREATE OR REPLACE FUNCTION action_log.repeat() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE cannot_connect_now USING MESSAGE = 'The tables of the log have changed.';
    END $$;
    DROP TRIGGER IF EXISTS repeat ON action_log.head;
    CREATE TRIGGER repeat INSTEAD OF UPDATE ON action_log.head
      FOR EACH ROW EXECUTE FUNCTION action_log.repeat();
    CREATE SEQUENCE IF NOT EXISTS action_log.epoch;
    CREATE TABLE IF NOT EXISTS action_log.lease (
      name text PRIMARY KEY,
      holder text NOT NULL,
      epoch int8 NOT NULL,
      ends timestamptz NOT NULL
    );
    CREATE TABLE IF NOT EXISTS action_log.fact (
      name text PRIMARY KEY,
      value bytea NOT NULL
    );
    CREATE OR REPLACE FUNCTION action_log.append(
      ids text[], products text[], reducers int8[], nodes text[], payloads bytea[],
      leases text[], epochs int8[]
    ) RETURNS TABLE (answer int8, number int8) LANGUAGE plpgsql AS $$
    DECLARE
      head action_log.head%ROWTYPE;
      first int8;
    BEGIN
      PERFORM FROM action_log.base WHERE is_head FOR UPDATE;
      SELECT * INTO STRICT head FROM action_log.head WHERE is_head;
      first := head.sequence;
      FOR i IN 1 .. cardinality(ids) LOOP
        SELECT e.sequence INTO number FROM action_log.entry e WHERE e.action_id = ids[i];
        IF FOUND THEN
          answer := 1;
        ELSIF reducers[i] < head.reducer THEN
          answer := 3;
          number := head.reducer;
        ELSIF leases[i] IS NOT NULL AND NOT action_log.holds(leases[i], epochs[i]) THEN
          answer := 2;
          number := 0;
        ELSE
          head.sequence := head.sequence + 1;
          head.reducer := reducers[i];
          INSERT INTO action_log.entry (sequence, action_id, product, reducer, node, payload)
            VALUES (head.sequence, ids[i], products[i], reducers[i], nodes[i], payloads[i]);
          answer := 0;
          number := head.sequence;
        END IF;
        RETURN NEXT;
      END LOOP;
      IF head.sequence > first THEN
        PERFORM pg_notify('action_log', head.sequence::text);
      END IF;
    END $$;
    CREATE OR REPLACE FUNCTION action_log.holds(lease text, held int8) RETURNS boolean
    LANGUAGE plpgsql AS $$
    BEGIN
      -- Whoever takes the lease meanwhile waits until this transaction has ended.
      PERFORM FROM action_log.lease l
        WHERE l.name = lease AND l.epoch = held AND l.ends > clock_timestamp() FOR SHARE;
      RETURN FOUND;
    END $$;
    COMMIT;
    """
}
