import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient, token } from '../chain/support';
import { send } from '../core/support';

afterAll(closeOwnEmulator);

/** An EVM address with this suffix. It is all lower case, so it has no checksum. */
const ending = (suffix: string) => `0x${'a'.repeat(40 - suffix.length)}${suffix}`;

/** The evaluation of an address that hits no rule. */
const NOTHING_FOUND = { screeningDate: expect.any(String), ruleName: null, actions: null, reasons: null };

const screen = ({ world }: TestClient, body: object) =>
  send(world, 'POST', '/v1/w3s/compliance/screening/addresses', {
    idempotencyKey: randomUUID(),
    chain: 'ETH-SEPOLIA',
    ...body,
  });

describe('screening of an address', () => {
  test.each([
    ['9999', 'DENIED', "Circle's Sanctions Blocklist", 'BLOCKLIST', 'SANCTIONS', ['DENY', 'FREEZE_WALLET', 'REVIEW']],
    ['8888', 'DENIED', 'Frozen User Wallet', 'BLOCKLIST', 'FROZEN', ['DENY', 'REVIEW']],
    ['7777', 'DENIED', 'Your blocklist', 'BLOCKLIST', 'UNSUPPORTED', ['DENY', 'REVIEW']],
    ['8999', 'DENIED', 'Severe Sanctions Risk (Owner)', 'SEVERE', 'SANCTIONS', ['DENY', 'FREEZE_WALLET', 'REVIEW']],
    [
      '8899',
      'DENIED',
      'Severe Terrorist Financing (Owner)',
      'SEVERE',
      'TERRORIST_FINANCING',
      ['DENY', 'FREEZE_WALLET', 'REVIEW'],
    ],
    ['8889', 'DENIED', 'Severe CSAM Risk (Owner)', 'SEVERE', 'CSAM', ['DENY', 'FREEZE_WALLET', 'REVIEW']],
    ['7779', 'DENIED', 'Severe Illicit Behavior (Owner)', 'SEVERE', 'ILLICIT_BEHAVIOR', ['DENY', 'REVIEW']],
    ['7666', 'APPROVED', 'High Illicit Behavior Risk (Owner)', 'HIGH', 'ILLICIT_BEHAVIOR', ['REVIEW']],
    ['7766', 'APPROVED', 'High Gambling Risk (Owner)', 'HIGH', 'GAMBLING', ['REVIEW']],
  ])('with suffix %s returns %s', async (suffix, result, ruleName, riskScore, category, actions) => {
    const client = await TestClient.open();
    const idempotencyKey = randomUUID();
    const address = ending(suffix);

    const response = await screen(client, { idempotencyKey, address });

    expect(response).toMatchObject({
      status: 200,
      body: { result, id: idempotencyKey, address, chain: 'ETH-SEPOLIA', decision: { ruleName } },
    });
    const { decision, details, alertId } = response.body;
    expect(decision.actions.toSorted()).toEqual(actions);
    expect(decision.reasons).toEqual([
      expect.objectContaining({
        source: 'ADDRESS',
        sourceValue: address,
        riskScore,
        riskCategories: [category],
        type: 'OWNERSHIP',
      }),
    ]);
    expect(alertId).toBeDefined();
    const [{ signalSource }] = decision.reasons;
    if (riskScore === 'BLOCKLIST') {
      // The address is on a list, so no vendor was asked.
      expect(signalSource ?? undefined).toBeUndefined();
      expect(details).toEqual([]);
      return;
    }
    // The reason refers to a part of the vendor's response.
    const [, list, index] = signalSource.pointer.split('/');
    const { response: found } = details.find(({ id }: { id: string }) => id === signalSource.rowId);
    expect(found[list][Number(index)]).toBeDefined();
  });

  test('without a hit approves it without actions', async () => {
    const client = await TestClient.open();
    const { body } = await screen(client, { address: STRANGER });
    expect(body).toMatchObject({ result: 'APPROVED', details: [] });
    expect(body.decision).toEqual(NOTHING_FOUND);
    expect(body.alertId).toBeNull();
  });

  test('can return its result in data, and happens once per idempotency key', async () => {
    const client = await TestClient.open({ complianceEnvelope: 'data', idempotency: 'replay' });
    const body = { idempotencyKey: randomUUID(), address: ending('9999') };
    const first = await screen(client, body);
    expect(first.body.data).toMatchObject({ result: 'DENIED', id: body.idempotencyKey });
    expect(await screen(client, body)).toMatchObject({ status: 200, body: first.body });
    await client.world.control.changeSettings({ idempotency: 'reject' });
    expect(await screen(client, body)).toMatchObject({ status: 403, body: { code: 156020 } });
  });

  test('accepts only blockchains that match the kind of key', async () => {
    const client = await TestClient.open();
    for (const unknown of ['BASE-SEPOLIA', 'DOGE', 'ETH', 'BTC']) {
      expect(await screen(client, { chain: unknown, address: STRANGER })).toMatchObject({
        status: 400,
        body: { code: 280001 },
      });
    }
  });

  test('accepts only valid addresses of the blockchain', async () => {
    const client = await TestClient.open();
    const invalid = [
      { address: '0x12' },
      { address: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      { chain: 'SOL-DEVNET', address: STRANGER },
    ];
    for (const body of invalid) {
      expect(await screen(client, body)).toMatchObject({ status: 400, body: { code: 280002 } });
    }
    expect(
      await screen(client, { chain: 'SOL-DEVNET', address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' }),
    ).toMatchObject({ status: 200, body: { result: 'APPROVED' } });
  });

  test.each([
    ['ETH', STRANGER],
    ['ZRX', STRANGER],
    ['BTC', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
    ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['ATOM', 'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27'],
    ['XRP', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
    ['TRX', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['XLM', 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'],
    ['HBAR', '0.0.4711'],
  ])('on %s needs a live key and accepts the address format', async (blockchain, address) => {
    const { world } = await TestClient.open();
    const live = { url: world.url, apiKey: `LIVE_API_KEY:emulator:${randomUUID()}` };
    const body = (more: object) => ({ idempotencyKey: randomUUID(), chain: blockchain, address, ...more });
    const path = '/v1/w3s/compliance/screening/addresses';
    expect(await send(live, 'POST', path, body({}))).toMatchObject({ status: 200, body: { result: 'APPROVED' } });
    expect(await send(live, 'POST', path, body({ address: `${address}!` }))).toMatchObject({ body: { code: 280002 } });
    expect(await send(live, 'POST', path, body({ chain: 'ETH-SEPOLIA' }))).toMatchObject({ body: { code: 280001 } });
    expect(await send(world, 'POST', path, body({}))).toMatchObject({ body: { code: 280001 } });
    // Suffixes count only on testnets.
    const suffixed = await send(live, 'POST', path, body({ chain: 'ETH', address: ending('9999') }));
    expect(suffixed.body.result).toBe('APPROVED');
  });

  test('can be overridden with a rule or an approval, and reset to the suffix', async () => {
    const client = await TestClient.open();
    const { control } = client.world;
    const resultOf = async (address: string) => (await screen(client, { address })).body.result;
    await control.call('PUT', `/screening/${STRANGER.toLowerCase()}`, { rule: 'Your blocklist' });
    await control.call('PUT', `/screening/${ending('9999')}`, { rule: null });
    expect(await resultOf(STRANGER)).toBe('DENIED');
    expect(await resultOf(ending('9999'))).toBe('APPROVED');
    await control.call('DELETE', `/screening/${ending('9999')}`);
    expect(await resultOf(ending('9999'))).toBe('DENIED');
  });
});

describe('screening of a transaction', () => {
  async function funded(settings = {}) {
    const client = await TestClient.open(settings);
    const wallet = await client.wallet();
    await client.fund(wallet, { native: '1', USDC: '100' });
    return { client, wallet };
  }

  const stateOf = async (client: TestClient, { id }: { id: string }) =>
    (await client.get(`/developer/wallets/${id}`)).data.wallet.state;

  test('to an address with a hit denies it with the evaluation, and nothing is moved', async () => {
    const { client, wallet } = await funded();
    const { data } = await client.transfer(wallet, { destinationAddress: ending('7777') });
    const ruleName = 'Your blocklist';
    expect(await client.transaction(data.id)).toMatchObject({
      state: 'INITIATED',
      transactionScreeningEvaluation: { ruleName },
    });
    await client.settle();

    const transaction = await client.transaction(data.id);

    expect(transaction).toMatchObject({
      state: 'DENIED',
      transactionScreeningEvaluation: { ruleName, actions: ['DENY', 'REVIEW'] },
    });
    expect(transaction.txHash).toBeNull();
    expect(await stateOf(client, wallet)).toBe('LIVE');
    expect(await client.balances(wallet)).toEqual({ ETH: '1', USDC: '100' });
    expect((await client.audit()).problems).toEqual([]);
    const { data: list } = await client.get('/transactions?txType=OUTBOUND');
    expect(list.transactions[0].transactionScreeningEvaluation).toEqual(transaction.transactionScreeningEvaluation);
  });

  test('to an address under review lets it continue', async () => {
    const { client, wallet } = await funded();
    const { data } = await client.transfer(wallet, { destinationAddress: ending('7766') });
    await client.settle();
    expect(await client.transaction(data.id)).toMatchObject({
      state: 'COMPLETE',
      transactionScreeningEvaluation: { actions: ['REVIEW'] },
    });
  });

  test('without a hit adds an evaluation without actions', async () => {
    const { client, wallet } = await funded();
    const { data } = await client.transfer(wallet);
    await client.settle();
    const { transactionScreeningEvaluation } = await client.transaction(data.id);
    expect(transactionScreeningEvaluation).toEqual(NOTHING_FOUND);
  });

  test('from an address with a hit freezes the wallet until a control unfreezes it', async () => {
    const { client, wallet } = await funded();
    const inbound = (from: string) =>
      client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, {
        tokenId: token('ETH-SEPOLIA', 'USDC'),
        amount: '5',
        from,
      });
    await inbound(ending('8888'));
    await client.settle();
    expect(await stateOf(client, wallet)).toBe('LIVE');
    await inbound(ending('9999'));
    await client.settle();

    const { data } = await client.get('/transactions?txType=INBOUND&pageSize=2');
    expect(data.transactions).toMatchObject([
      { state: 'COMPLETE', transactionScreeningEvaluation: { actions: ['REVIEW', 'FREEZE_WALLET'] } },
      { state: 'COMPLETE', transactionScreeningEvaluation: { actions: ['REVIEW'] } },
    ]);
    expect(await stateOf(client, wallet)).toBe('FROZEN');
    expect(await client.balances(wallet)).toMatchObject({ USDC: '110' });
    expect(await client.transfer(wallet)).toMatchObject({ status: 409, code: 155501 });

    await client.world.control.call('POST', `/wallets/${wallet.id}/unfreeze`);
    expect(await client.transfer(wallet)).toMatchObject({ status: 201 });
  });

  test('is off if a setting says so or screening does not support the blockchain', async () => {
    const { client, wallet } = await funded({ transactionScreening: false });
    const base = await client.wallet('BASE-SEPOLIA');
    await client.fund(base, { native: '1', USDC: '10' });
    const off = await client.transfer(wallet, { destinationAddress: ending('9999') });
    await client.settle();
    await client.world.control.changeSettings({ transactionScreening: true });
    const other = await client.transfer(base, { destinationAddress: ending('9999') });
    await client.settle();
    for (const { data } of [off, other]) {
      const transaction = await client.transaction(data.id);
      expect(transaction.state).toBe('COMPLETE');
      expect(transaction.transactionScreeningEvaluation).toBeNull();
    }
  });
});
