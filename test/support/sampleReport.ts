import type { AnySample } from './samples';

interface Row extends Pick<AnySample, 'name' | 'source' | 'unsent'> {
  isRead: boolean;
  isSent: boolean;
}

/** What the client and the emulator make of each sample, as text. */
export class SampleReport {
  readonly #rows = new Map<string, Row>();

  note({ name, source, unsent }: AnySample, result: { isRead: boolean } | { isSent: boolean }): void {
    const row = this.#rows.get(name) ?? { name, source, unsent, isRead: false, isSent: false };
    this.#rows.set(name, { ...row, ...result });
  }

  toString(): string {
    const rows = [...this.#rows.values()];
    const count = (isCounted: (row: Row) => boolean) => rows.filter(isCounted).length;
    const hosts = [...new Set(rows.map(hostOf))].map((host) => `${count((row) => hostOf(row) === host)} from ${host}`);
    const [read, sent] = [count(({ isRead }) => isRead), count(({ isSent }) => isSent)];
    const excepted = count(({ isSent, unsent }) => !isSent && typeof unsent === 'string');
    const inPart = count(({ isSent, unsent }) => isSent && Array.isArray(unsent));
    return [
      ...rows.map(lineOf),
      `${rows.length} samples: ${hosts.join(', ')}`,
      `the client: ${read} read, ${rows.length - read} unread`,
      `the emulator: ${sent} sent, ${inPart} of them without some fields; ${rows.length - sent} unsent, ${excepted} of them for a reason`,
    ].join('\n');
  }
}

function hostOf({ source }: Row): string {
  return new URL(source).host;
}

function lineOf({ name, source, unsent = [], isRead, isSent }: Row): string {
  const exception = typeof unsent === 'string' ? unsent : unsent.length > 0 ? `without ${unsent.join(', ')}` : '';
  const columns = [isRead ? 'read' : 'UNREAD', isSent ? 'sent' : 'UNSENT', name.padEnd(32), source, exception];
  return columns.join('  ').trimEnd();
}
