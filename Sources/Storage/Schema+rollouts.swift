extension Schema {
  /// The plan is written once; what became of it with every step. Few rows: one that is not over, and the last ones
  /// that are.
  static let rollouts = """
    CREATE TABLE rollout (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT UNIQUE NOT NULL,
      plan BLOB NOT NULL,
      state BLOB NOT NULL,
      began_ns INTEGER NOT NULL,
      changed_ns INTEGER NOT NULL,
      is_over INTEGER NOT NULL
    ) STRICT;
    """
}
