/// The style of the status page: readable on a telephone, dark where the reader wants it so.
enum StyleSheet {
  static let content = HTTPContent(200, "text/css; charset=utf-8", Array(text.utf8))

  private static let text = """
    :root { color-scheme: light dark; }
    body { font: 16px/1.4 system-ui, sans-serif; margin: 1rem; }
    main { max-width: 80rem; margin: auto; overflow-x: auto; }
    table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; }
    th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #8884; }
    .trouble { color: #b00020; }
    @media (prefers-color-scheme: dark) { .trouble { color: #ff8a80; } }

    """
}
