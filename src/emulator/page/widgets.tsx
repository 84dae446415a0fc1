import type { ComponentChildren } from 'preact';

/** A part of the page with its heading; where it holds things, how many, and what it says when it holds none. */
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
  /** Beside the heading. */
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

/** Rows with their actions in the last column; on a phone each row is a block, and cells say their column. */
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
      {count > shown && <p class="empty">The newest {shown} are shown.</p>}
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

/** A word for a state; its colour says the same. */
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

/** A long id or address, cut for the eye; whole for who copies or hovers. */
export function Short({ text }: { text: string }) {
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

/** `CHANGE_PIN` as people read it. */
export const words = (name: string) =>
  name
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\bpin\b/, 'PIN')
    .replace('typeddata', 'typed data');
