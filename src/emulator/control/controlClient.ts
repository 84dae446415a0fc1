import type { Blockchain } from '../../domain/chains';
import type { KeyState } from '../credentials/apiKey';
import type { Fault, FaultSpec } from '../faults/requestFaults';
import type { JournalEntry, OperationCounts } from '../requests/journal';
import type { Settings, SettingsPatch } from '../settings';
import type { Delivery } from '../webhooks/deliveries';

interface RecoveryFileResponse {
  recoveryFile: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Controls one world of an emulator, in this or another process (docs/emulator.md#controls). */
export class EmulatorControl {
  constructor(private readonly options: { url: string; apiKey: string }) {}

  /** World time. */
  async now(): Promise<Date> {
    const { now } = await this.call<{ now: string }>('GET', '/clock');
    return new Date(now);
  }

  /** When the world's next event is due; undefined if none is due by `until`. */
  async nextDue(until: Date): Promise<Date | undefined> {
    const { due } = await this.call<{ due: string | null }>('GET', `/clock/next?until=${until.toISOString()}`);
    return due === null ? undefined : new Date(due);
  }

  /** Runs the world's events up to a time. Resolves when they and the webhooks that they sent are done. */
  async advanceTo(to: Date): Promise<void> {
    await this.call('POST', '/clock/advance', { to: to.toISOString() });
  }

  /** Like `advanceTo`, by a duration. */
  async advance(durationMs: number): Promise<void> {
    await this.call('POST', '/clock/advance', { durationMs });
  }

  /** How fast world time runs compared to real time; 0 stops it. */
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
   * @param entitySecret 64 hex characters; null removes it
   * @returns the recovery file of the new secret
   */
  async setEntitySecret(entitySecret: string | null): Promise<string | undefined> {
    return (await this.call<RecoveryFileResponse | undefined>('PUT', '/entitySecret', { entitySecret }))?.recoveryFile;
  }

  /**
   * As in the console. Encrypt both secrets with the key of `GET /config/entity/publicKey`.
   * @returns the recovery file of the new secret
   */
  async rotateEntitySecret(entitySecretCiphertext: string, newEntitySecretCiphertext: string): Promise<string> {
    const body = { entitySecretCiphertext, newEntitySecretCiphertext };
    return (await this.call<RecoveryFileResponse>('POST', '/entitySecret/rotate', body)).recoveryFile;
  }

  /** As in the console. @returns the recovery file of the new secret */
  async resetEntitySecret(recoveryFile: string, newEntitySecretCiphertext: string): Promise<string> {
    const body = { recoveryFile, newEntitySecretCiphertext };
    return (await this.call<RecoveryFileResponse>('POST', '/entitySecret/reset', body)).recoveryFile;
  }

  async deliveries(): Promise<Delivery[]> {
    return (await this.call<{ deliveries: Delivery[] }>('GET', '/webhooks/deliveries')).deliveries;
  }

  /** URL of an attestation host of this world. Requests to it need no API key. */
  async attestationHost(): Promise<string> {
    return (await this.call<{ url: string }>('GET', '/attestationHost')).url;
  }

  /** URLs of the JSON-RPC endpoints of this world, by blockchain. Requests to them need no API key. */
  async rpcUrls(): Promise<Partial<Record<Blockchain, string>>> {
    return this.call('GET', '/rpcUrls');
  }

  /** Replaces the world with a new one that has the same key, secret and options. */
  async reset(): Promise<void> {
    await this.call('POST', '/reset');
  }

  /**
   * Calls any control, by its method and path below `/emulator`.
   * @throws Error with the emulator's status and message if the call fails
   */
  async call<T = unknown>(method: Method, path: string, body?: object): Promise<T> {
    const { url, apiKey } = this.options;
    const response = await fetch(`${url}/emulator${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /emulator${path} failed (${response.status}): ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  }
}
