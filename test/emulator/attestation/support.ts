import type { SettingsPatch } from '../../../src/emulator';
import { openWorld, type TestWorld } from '../../support/emulator';

export const RECIPIENT = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
export const [ETHEREUM, AVALANCHE, SOLANA, BASE] = [0, 1, 5, 6];

export interface AttestationResponse {
  status: number;
  headers: Headers;
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests read responses by path
}

export interface BurnView {
  id: string;
  txHash: string;
  nonce: string;
  state: string;
  delayReason: string | null;
}

/** HTTP client for a world's attestation host, without credentials. The world's clock moves only on request. */
export class AttestationHost {
  private constructor(
    readonly world: TestWorld,
    readonly url: string,
  ) {}

  static async open(settings: SettingsPatch = {}): Promise<AttestationHost> {
    const world = await openWorld({ limits: false, ...settings });
    await world.control.setSpeed(0);
    return new AttestationHost(world, await world.control.attestationHost());
  }

  get(path: string): Promise<AttestationResponse> {
    return request(this.url, 'GET', path);
  }

  post(path: string): Promise<AttestationResponse> {
    return request(this.url, 'POST', path, '{}');
  }

  /** Burns USDC; by default a fast burn of 100 USDC from Ethereum to Base. */
  burn(body: object = {}): Promise<BurnView> {
    return this.world.control.call('POST', '/burns', {
      sourceDomain: ETHEREUM,
      destinationDomain: BASE,
      amount: '100000000',
      mintRecipient: RECIPIENT,
      minFinalityThreshold: 1000,
      maxFee: '50000',
      ...body,
    });
  }

  async messages({ txHash, sourceDomain = ETHEREUM }: { txHash: string; sourceDomain?: number }) {
    const { body } = await this.get(`/v2/messages/${sourceDomain}?transactionHash=${txHash}`);
    return body.messages;
  }

  async advance(seconds: number): Promise<void> {
    await this.world.control.advance(seconds * 1000);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses by path
  mint(attested: { message: string; attestation: string }, more: object = {}): Promise<any> {
    const { message, attestation } = attested;
    return this.world.control.call('POST', '/mints', { destinationDomain: BASE, message, attestation, ...more });
  }
}

/** Sends a request without credentials. */
export async function request(url: string, method: string, path: string, body?: string): Promise<AttestationResponse> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
