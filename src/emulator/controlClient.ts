import type { Fault, FaultSpec } from './faults';
import type { JournalEntry, OperationCounts } from './journal';
import type { Settings, SettingsPatch } from './settings';
import type { Delivery } from './deliveries';
import type { KeyState } from './world';

interface RecoveryAnswer {
  recoveryFile: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Controls one world of an emulator, here or in another process (docs/emulator.md). */
export class EmulatorControl {
  constructor(private readonly options: { url: string; apiKey: string }) {}

  /** World time. */
  async now(): Promise<Date> {
    const { now } = await this.call<{ now: string }>('GET', '/clock');
    return new Date(now);
  }

  /** When the world's next event is due, if that is not later than `until`. */
  async nextDue(until: Date): Promise<Date | undefined> {
    const { due } = await this.call<{ due: string | null }>('GET', `/clock/next?until=${until.toISOString()}`);
    return due === null ? undefined : new Date(due);
  }

  /** Runs the world's events up to a time; resolves when they and the webhooks they sent are done. */
  async advanceTo(to: Date): Promise<void> {
    await this.call('POST', '/clock/advance', { to: to.toISOString() });
  }

  /** The same, by a duration. */
  async advance(durationMs: number): Promise<void> {
    await this.call('POST', '/clock/advance', { durationMs });
  }

  /** World time against real time; 0 stops it. */
  async setSpeed(speed: number): Promise<void> {
    await this.call('POST', '/clock/speed', { speed });
  }

  addFault(fault: FaultSpec): Promise<Fault> {
    return this.call('POST', '/faults', fault);
  }

  async faults(): Promise<Fault[]> {
    return (await this.call<{ faults: Fault[] }>('GET', '/faults')).faults;
  }

  async removeFault(id: string): Promise<void> {
    await this.call('DELETE', `/faults/${id}`);
  }

  async clearFaults(): Promise<void> {
    await this.call('DELETE', '/faults');
  }

  /** Requests to the API, oldest first; `since` is a `seq`. */
  async journal(filter: { operation?: JournalEntry['operation']; since?: number } = {}): Promise<JournalEntry[]> {
    const query = new URLSearchParams(
      Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return (await this.call<{ entries: JournalEntry[] }>('GET', `/journal?${query.toString()}`)).entries;
  }

  async counts(): Promise<Record<string, OperationCounts>> {
    return (await this.call<{ counts: Record<string, OperationCounts> }>('GET', '/journal/counts')).counts;
  }

  async clearJournal(): Promise<void> {
    await this.call('DELETE', '/journal');
  }

  settings(): Promise<Settings> {
    return this.call('GET', '/settings');
  }

  changeSettings(patch: SettingsPatch): Promise<Settings> {
    return this.call('PATCH', '/settings', patch);
  }

  async setKeyState(state: KeyState): Promise<void> {
    await this.call('PUT', '/key', { state });
  }

  /**
   * 64 hex characters; null takes it away.
   * @returns the recovery file of the new secret
   */
  async setEntitySecret(entitySecret: string | null): Promise<string | undefined> {
    return (await this.call<RecoveryAnswer | undefined>('PUT', '/entitySecret', { entitySecret }))?.recoveryFile;
  }

  /**
   * As in the console. The ciphertexts are made with the key of `GET /config/entity/publicKey`.
   * @returns the recovery file of the new secret
   */
  async rotateEntitySecret(entitySecretCiphertext: string, newEntitySecretCiphertext: string): Promise<string> {
    const given = { entitySecretCiphertext, newEntitySecretCiphertext };
    return (await this.call<RecoveryAnswer>('POST', '/entitySecret/rotate', given)).recoveryFile;
  }

  /** As in the console. @returns the recovery file of the new secret */
  async resetEntitySecret(recoveryFile: string, newEntitySecretCiphertext: string): Promise<string> {
    const given = { recoveryFile, newEntitySecretCiphertext };
    return (await this.call<RecoveryAnswer>('POST', '/entitySecret/reset', given)).recoveryFile;
  }

  async deliveries(): Promise<Delivery[]> {
    return (await this.call<{ deliveries: Delivery[] }>('GET', '/webhooks/deliveries')).deliveries;
  }

  /** An attestation host of the world's own: what is sent there needs no key to be this world's. */
  async attestationHost(): Promise<string> {
    return (await this.call<{ url: string }>('GET', '/attestationHost')).url;
  }

  /** A new world with the same key and secret. */
  async reset(): Promise<void> {
    await this.call('POST', '/reset');
  }

  /**
   * Any control, by its method and path below `/emulator`.
   * @throws Error with the emulator's message when it refuses
   */
  async call<T = unknown>(method: Method, path: string, body?: object): Promise<T> {
    const { url, apiKey } = this.options;
    const response = await fetch(`${url}/emulator${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /emulator${path} was refused (${response.status}): ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }
}
