import { randomUUID } from 'node:crypto';
import { encryptEntitySecret } from '../../../src/crypto/entitySecret';
import type { SettingsPatch } from '../../../src/emulator';
import { fixedId } from '../../../src/emulator/ledger/tokenCatalog';
import { openWorld, type TestWorld } from '../../support/emulator';
import { Receiver } from '../../support/receiver';

export interface TestResponse {
  status: number;
  headers: Headers;
  /** The body's error code. */
  code: number | undefined;
  /** The complete body. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests read responses by path
  /** The body's error message. */
  message: string | undefined;
  data: any; // oxlint-disable-line typescript/no-explicit-any -- tests read responses by path
}

/** HTTP client for a world's API and controls. The world's clock moves only on request. */
export class TestClient {
  #publicKey: string | undefined;

  private constructor(readonly world: TestWorld) {}

  /** Opens a new world. Mainnets need a live key, testnets a test key. */
  static async open(settings: SettingsPatch = {}, kind: 'test' | 'live' = 'test'): Promise<TestClient> {
    const world = await openWorld({ limits: false, ...settings }, kind);
    return TestClient.of(world);
  }

  /** Returns a client for an existing world and stops its clock. */
  static async of(world: TestWorld): Promise<TestClient> {
    await world.control.setSpeed(0);
    return new TestClient(world);
  }

  /** Sends a request below `/v1/w3s`, or to an absolute URL. */
  async send(method: string, path: string, body?: object, headers: object = {}): Promise<TestResponse> {
    const { url, apiKey } = this.world;
    const response = await fetch(path.startsWith('http') ? path : `${url}/v1/w3s${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text ? JSON.parse(text) : {};
    const { code, message, data } = parsed;
    return { status: response.status, headers: response.headers, code, message, data, body: parsed };
  }

  /** Calls a control and returns its errors as responses, for controls that stand in for a user's client. */
  control(method: string, path: string, body?: object): Promise<TestResponse> {
    return this.send(method, `${this.world.url}/emulator${path}`, body);
  }

  /** Subscribes a new receiver to the world's webhooks. The caller closes it. */
  async subscribe(notificationTypes: readonly string[] = ['*']): Promise<Receiver> {
    const receiver = await Receiver.open();
    const endpoint = receiver.url;
    await this.send('POST', `${this.world.url}/v2/notifications/subscriptions`, { endpoint, notificationTypes });
    return receiver;
  }

  get(path: string): Promise<TestResponse> {
    return this.send('GET', path);
  }

  /** Sends a POST with a new idempotency key and a new ciphertext. */
  async postWithKey(path: string, body: object = {}): Promise<TestResponse> {
    return this.send('POST', path, { idempotencyKey: randomUUID(), ...(await this.ciphertext()), ...body });
  }

  /** The field that proves the entity secret. It is valid for one request. */
  async ciphertext(): Promise<{ entitySecretCiphertext: string }> {
    this.#publicKey ??= (await this.get('/config/entity/publicKey')).data.publicKey as string;
    return { entitySecretCiphertext: encryptEntitySecret(this.world.entitySecret, this.#publicKey) };
  }

  /** Creates wallets in a new wallet set. */
  async wallets(body: { blockchains: string[]; count?: number; accountType?: string; metadata?: object[] }) {
    const set = await this.postWithKey('/developer/walletSets', { name: 'test' });
    const { data } = await this.postWithKey('/developer/wallets', { walletSetId: set.data.walletSet.id, ...body });
    return data.wallets as { id: string; address: string; blockchain: string; walletSetId: string }[];
  }

  /** Creates a wallet with native tokens and USDC. */
  async fundedWallet(blockchain = 'ETH-SEPOLIA', accountType = 'EOA') {
    const wallet = await this.wallet(blockchain, accountType);
    await this.fund(wallet, { native: '5', USDC: '500' });
    return wallet;
  }

  async wallet(blockchain = 'ETH-SEPOLIA', accountType = 'EOA') {
    const [wallet] = await this.wallets({ blockchains: [blockchain], accountType });
    return wallet!;
  }

  /** Deposits tokens from outside and waits until they are final. */
  async fund({ id, blockchain }: { id: string; blockchain: string }, amounts: Record<string, string>): Promise<void> {
    for (const [symbol, amount] of Object.entries(amounts)) {
      await this.world.control.call('POST', `/wallets/${id}/inbound`, { tokenId: token(blockchain, symbol), amount });
    }
    await this.settle();
  }

  transfer(wallet: { id: string; blockchain: string }, body: object = {}): Promise<TestResponse> {
    return this.postWithKey('/developer/transactions/transfer', {
      walletId: wallet.id,
      tokenId: token(wallet.blockchain, 'USDC'),
      destinationAddress: STRANGER,
      amounts: ['1'],
      feeLevel: 'MEDIUM',
      ...body,
    });
  }

  async transaction(id: string) {
    return (await this.get(`/transactions/${id}`)).data.transaction;
  }

  /** Balances by symbol. */
  async balances({ id }: { id: string }): Promise<Record<string, string>> {
    const { data } = await this.get(`/wallets/${id}/balances?includeAll=true`);
    const rows = data.tokenBalances as { amount: string; token: { symbol: string } }[];
    return Object.fromEntries(rows.map(({ amount, token: { symbol } }) => [symbol, amount]));
  }

  /** Advances the clock further than any transaction needs. */
  settle(): Promise<void> {
    return this.world.control.advance(10 * 60_000);
  }

  audit(): Promise<{ ok: boolean; problems: string[]; balances: number }> {
    return this.world.control.call('GET', '/ledger/audit');
  }
}

export const STRANGER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Id of a token by symbol; the native token is `native`. */
export function token(blockchain: string, symbol: string): string {
  return fixedId(blockchain, symbol);
}
