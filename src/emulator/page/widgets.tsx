import type { ComponentChildren } from 'preact';

/** A section with a heading. A list also has a count and a message for the empty list. */
export function Section({
  id,
  title,
  count,
  empty,
  children,
  aside,
}: {
  id: string;
  title: string;
  count?: number;
  empty?: string;
  children: ComponentChildren;
  /** Shown next to the heading. */
  aside?: ComponentChildren;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <header class="section">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title} {count !== undefined && <span class="count">{count}</span>}
        </h2>
        {aside}
      </header>
      {count === 0 ? <p class="empty">{empty}</p> : children}
    </section>
  );
}

/** A table with actions in the last column. On a phone, each row is a block and each cell shows its column. */
export function Table({
  columns,
  shown,
  count,
  children,
}: {
  columns: readonly string[];
  shown: number;
  count: number;
  children: ComponentChildren;
}) {
  return (
    <>
      <table class="striped">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {count > shown && <p class="empty">Showing the newest {shown}.</p>}
    </>
  );
}

/** The buttons of a row. */
export function Actions({ children }: { children: ComponentChildren }) {
  return (
    <td class="actions">
      <div>{children}</div>
    </td>
  );
}

/** A state, in a color that matches it. */
export function State({ state }: { state: string }) {
  return <span class={`state ${tone(state)}`}>{state}</span>;
}

const GOOD = new Set(['COMPLETE', 'COMPLETED', 'LIVE', 'ACCEPTED', 'VERIFIED', 'ENABLED', 'CONFIRMED', 'GOOD']);
const BAD = new Set(
  'FAILED DENIED STUCK FROZEN REJECTED DISABLED LOCKED EXPIRED CANCELLED INCOMPLETE UNKNOWN VOID'.split(' '),
);

function tone(state: string): 'good' | 'bad' | 'open' {
  if (GOOD.has(state)) return 'good';
  return BAD.has(state) ? 'bad' : 'open';
}

/** A shortened id or address. The tooltip shows the complete text. */
export function Truncated({ text }: { text: string }) {
  if (text.length <= 14) return <code>{text}</code>;
  return (
    <code title={text}>
      {text.slice(0, 8)}…{text.slice(-4)}
    </code>
  );
}

export function Time({ at }: { at: string }) {
  const date = new Date(at);
  return <time dateTime={at}>{date.toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' })}</time>;
}

/** `CHANGE_PIN` → `change PIN`. */
export const humanize = (name: string) =>
  name
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\bpin\b/, 'PIN')
    .replace('typeddata', 'typed data');
