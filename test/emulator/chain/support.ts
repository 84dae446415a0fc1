import { randomUUID } from 'node:crypto';
import type { SettingsPatch } from '../../../src/emulator';
import { encryptEntitySecret } from '../../../src/crypto/entitySecret';
import { fixedId } from '../../../src/emulator/tokensCatalogue';
import { openWorld, type TestWorld } from '../../support/emulator';
import { Receiver } from '../../support/receiver';

export interface Answer {
  status: number;
  headers: Headers;
  /** Body's code of a refusal. */
  code: number | undefined;
  /** The whole body. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests read answers by path
  /** Body's message of a refusal. */
  message: string | undefined;
  data: any; // oxlint-disable-line typescript/no-explicit-any -- tests read answers by path
}

/** A world that stands still until it is moved on, seen over HTTP. */
export class Chain {
  #publicKey: string | undefined;

  private constructor(readonly world: TestWorld) {}

  /** Mainnets are for a live key, testnets for a test key. */
  static async open(settings: SettingsPatch = {}, kind: 'test' | 'live' = 'test'): Promise<Chain> {
    const world = await openWorld({ limits: false, ...settings }, kind);
    return Chain.of(world);
  }

  /** One that is there already. */
  static async of(world: TestWorld): Promise<Chain> {
    await world.control.setSpeed(0);
    return new Chain(world);
  }

  /** A request below `/v1/w3s`. */
  async send(method: string, path: string, body?: object, headers: object = {}): Promise<Answer> {
    const { url, apiKey } = this.world;
    const response = await fetch(path.startsWith('http') ? path : `${url}/v1/w3s${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = text ? JSON.parse(text) : {};
    const { code, message, data } = answer;
    return { status: response.status, headers: response.headers, code, message, data, body: answer };
  }

  /** A control, whose refusals are answers too: those that stand for a user's client. */
  control(method: string, path: string, body?: object): Promise<Answer> {
    return this.send(method, `${this.world.url}/emulator${path}`, body);
  }

  /** A receiver of the world's webhooks; the caller closes it. */
  async subscribe(notificationTypes: readonly string[] = ['*']): Promise<Receiver> {
    const receiver = await Receiver.open();
    const endpoint = receiver.url;
    await this.send('POST', `${this.world.url}/v2/notifications/subscriptions`, { endpoint, notificationTypes });
    return receiver;
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  /** A POST with a new idempotency key and a fresh ciphertext. */
  async effect(path: string, body: object = {}): Promise<Answer> {
    return this.send('POST', path, { idempotencyKey: randomUUID(), ...(await this.ciphertext()), ...body });
  }

  /** The field that proves the entity secret, good for one request. */
  async ciphertext(): Promise<{ entitySecretCiphertext: string }> {
    this.#publicKey ??= (await this.get('/config/entity/publicKey')).data.publicKey as string;
    return { entitySecretCiphertext: encryptEntitySecret(this.world.entitySecret, this.#publicKey) };
  }

  /** Wallets of a new set. */
  async wallets(body: { blockchains: string[]; count?: number; accountType?: string; metadata?: object[] }) {
    const set = await this.effect('/developer/walletSets', { name: 'test' });
    const { data } = await this.effect('/developer/wallets', { walletSetId: set.data.walletSet.id, ...body });
    return data.wallets as { id: string; address: string; blockchain: string; walletSetId: string }[];
  }

  /** A wallet with native tokens and USDC. */
  async funded(blockchain = 'ETH-SEPOLIA', accountType = 'EOA') {
    const wallet = await this.wallet(blockchain, accountType);
    await this.fund(wallet, { native: '5', USDC: '500' });
    return wallet;
  }

  async wallet(blockchain = 'ETH-SEPOLIA', accountType = 'EOA') {
    const [wallet] = await this.wallets({ blockchains: [blockchain], accountType });
    return wallet!;
  }

  /** Lets tokens arrive from outside and waits until they are final. */
  async fund({ id, blockchain }: { id: string; blockchain: string }, amounts: Record<string, string>): Promise<void> {
    for (const [symbol, amount] of Object.entries(amounts)) {
      await this.world.control.call('POST', `/wallets/${id}/inbound`, { tokenId: token(blockchain, symbol), amount });
    }
    await this.settle();
  }

  transfer(wallet: { id: string; blockchain: string }, body: object = {}): Promise<Answer> {
    return this.effect('/developer/transactions/transfer', {
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

  /** Longer than any transaction takes by itself. */
  settle(): Promise<void> {
    return this.world.control.advance(10 * 60_000);
  }

  audit(): Promise<{ ok: boolean; problems: string[]; balances: number }> {
    return this.world.control.call('GET', '/ledger/audit');
  }
}

export const STRANGER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Id of a token by symbol; the native one is `native`. */
export function token(blockchain: string, symbol: string): string {
  return fixedId(blockchain, symbol);
}
