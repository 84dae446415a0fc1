import { randomUUID } from 'node:crypto';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER, token } from '../chain/support';
import { send } from '../core/support';

afterAll(closeOwnEmulator);

/** An EVM address that ends with these characters; all lower case, so it has no checksum. */
const ending = (suffix: string) => `0x${'a'.repeat(40 - suffix.length)}${suffix}`;

const screen = ({ world }: Chain, body: object) =>
  send(world, 'POST', '/v1/w3s/compliance/screening/addresses', {
    idempotencyKey: randomUUID(),
    chain: 'ETH-SEPOLIA',
    ...body,
  });

describe('an address by itself', () => {
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
  ])('that ends with %s is %s', async (suffix, result, ruleName, riskScore, category, actions) => {
    const chain = await Chain.open();
    const idempotencyKey = randomUUID();
    const address = ending(suffix);

    const answer = await screen(chain, { idempotencyKey, address });

    expect(answer).toMatchObject({
      status: 200,
      body: { result, id: idempotencyKey, address, chain: 'ETH-SEPOLIA', decision: { ruleName } },
    });
    const { decision, details, alertId } = answer.body;
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
    // The reason points into the vendor's answer.
    const { rowId, pointer } = decision.reasons[0].signalSource;
    const [, list, index] = pointer.split('/');
    expect(details.find(({ id }: { id: string }) => id === rowId).response[list][Number(index)]).toBeDefined();
    expect(alertId).toBeDefined();
  });

  test('without a hit is approved, with nothing to do', async () => {
    const chain = await Chain.open();
    const { body } = await screen(chain, { address: STRANGER });
    expect(body).toMatchObject({ result: 'APPROVED', details: [] });
    expect(body.decision).toEqual({ screeningDate: expect.any(String) });
    expect(body).not.toHaveProperty('alertId');
  });

  test('comes in data where the world is set so, and is screened once for a key', async () => {
    const chain = await Chain.open({ complianceEnvelope: 'data', idempotency: 'replay' });
    const body = { idempotencyKey: randomUUID(), address: ending('9999') };
    const first = await screen(chain, body);
    expect(first.body.data).toMatchObject({ result: 'DENIED', id: body.idempotencyKey });
    expect(await screen(chain, body)).toMatchObject({ status: 200, body: first.body });
    await chain.world.control.changeSettings({ idempotency: 'reject' });
    expect(await screen(chain, body)).toMatchObject({ status: 403, body: { code: 156020 } });
  });

  test('is of a blockchain of the list that goes with the kind of key', async () => {
    const chain = await Chain.open();
    for (const unknown of ['BASE-SEPOLIA', 'DOGE', 'ETH', 'BTC']) {
      expect(await screen(chain, { chain: unknown, address: STRANGER })).toMatchObject({
        status: 400,
        body: { code: 280001 },
      });
    }
  });

  test('has the form of its blockchain', async () => {
    const chain = await Chain.open();
    const invalid = [
      { address: '0x12' },
      { address: '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      { chain: 'SOL-DEVNET', address: STRANGER },
    ];
    for (const body of invalid) {
      expect(await screen(chain, body)).toMatchObject({ status: 400, body: { code: 280002 } });
    }
    expect(
      await screen(chain, { chain: 'SOL-DEVNET', address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' }),
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
  ])('of %s is screened with a live key alone, and by its form', async (blockchain, address) => {
    const { world } = await Chain.open();
    const live = { url: world.url, apiKey: `LIVE_API_KEY:emulator:${randomUUID()}` };
    const body = (more: object) => ({ idempotencyKey: randomUUID(), chain: blockchain, address, ...more });
    const path = '/v1/w3s/compliance/screening/addresses';
    expect(await send(live, 'POST', path, body({}))).toMatchObject({ status: 200, body: { result: 'APPROVED' } });
    expect(await send(live, 'POST', path, body({ address: `${address}!` }))).toMatchObject({ body: { code: 280002 } });
    expect(await send(live, 'POST', path, body({ chain: 'ETH-SEPOLIA' }))).toMatchObject({ body: { code: 280001 } });
    expect(await send(world, 'POST', path, body({}))).toMatchObject({ body: { code: 280001 } });
    // Suffixes are for testnets.
    const suffixed = await send(live, 'POST', path, body({ chain: 'ETH', address: ending('9999') }));
    expect(suffixed.body.result).toBe('APPROVED');
  });

  test('can be put under a rule, cleared, and left to its suffix again', async () => {
    const chain = await Chain.open();
    const { control } = chain.world;
    const resultOf = async (address: string) => (await screen(chain, { address })).body.result;
    await control.call('PUT', `/screening/${STRANGER.toLowerCase()}`, { rule: 'Your blocklist' });
    await control.call('PUT', `/screening/${ending('9999')}`, { rule: null });
    expect(await resultOf(STRANGER)).toBe('DENIED');
    expect(await resultOf(ending('9999'))).toBe('APPROVED');
    await control.call('DELETE', `/screening/${ending('9999')}`);
    expect(await resultOf(ending('9999'))).toBe('DENIED');
  });
});

describe('a transaction', () => {
  async function funded(settings = {}) {
    const chain = await Chain.open(settings);
    const wallet = await chain.wallet();
    await chain.fund(wallet, { native: '1', USDC: '100' });
    return { chain, wallet };
  }

  const stateOf = async (chain: Chain, { id }: { id: string }) =>
    (await chain.get(`/developer/wallets/${id}`)).data.wallet.state;

  test('to a hit ends DENIED with the evaluation, and nothing has moved', async () => {
    const { chain, wallet } = await funded();
    const { data } = await chain.transfer(wallet, { destinationAddress: ending('7777') });
    expect(await chain.transaction(data.id)).not.toHaveProperty('transactionScreeningEvaluation');
    await chain.settle();

    const transaction = await chain.transaction(data.id);

    expect(transaction).toMatchObject({
      state: 'DENIED',
      transactionScreeningEvaluation: { ruleName: 'Your blocklist', actions: ['DENY', 'REVIEW'] },
    });
    expect(transaction).not.toHaveProperty('txHash');
    expect(await stateOf(chain, wallet)).toBe('LIVE');
    expect(await chain.balances(wallet)).toEqual({ ETH: '1', USDC: '100' });
    expect((await chain.audit()).problems).toEqual([]);
    const { data: list } = await chain.get('/transactions?txType=OUTBOUND');
    expect(list.transactions[0].transactionScreeningEvaluation).toEqual(transaction.transactionScreeningEvaluation);
  });

  test('to an address that is only to be reviewed goes on', async () => {
    const { chain, wallet } = await funded();
    const { data } = await chain.transfer(wallet, { destinationAddress: ending('7766') });
    await chain.settle();
    expect(await chain.transaction(data.id)).toMatchObject({
      state: 'COMPLETE',
      transactionScreeningEvaluation: { actions: ['REVIEW'] },
    });
  });

  test('without a hit has an evaluation that asks for nothing', async () => {
    const { chain, wallet } = await funded();
    const { data } = await chain.transfer(wallet);
    await chain.settle();
    const { transactionScreeningEvaluation } = await chain.transaction(data.id);
    expect(transactionScreeningEvaluation).toEqual({ screeningDate: expect.any(String) });
  });

  test('that came from a hit is there already: the wallet is frozen until somebody thaws it', async () => {
    const { chain, wallet } = await funded();
    const inbound = (from: string) =>
      chain.world.control.call('POST', `/wallets/${wallet.id}/inbound`, {
        tokenId: token('ETH-SEPOLIA', 'USDC'),
        amount: '5',
        from,
      });
    await inbound(ending('8888'));
    await chain.settle();
    expect(await stateOf(chain, wallet)).toBe('LIVE');
    await inbound(ending('9999'));
    await chain.settle();

    const { data } = await chain.get('/transactions?txType=INBOUND&pageSize=2');
    expect(data.transactions).toMatchObject([
      { state: 'COMPLETE', transactionScreeningEvaluation: { actions: ['REVIEW', 'FREEZE_WALLET'] } },
      { state: 'COMPLETE', transactionScreeningEvaluation: { actions: ['REVIEW'] } },
    ]);
    expect(await stateOf(chain, wallet)).toBe('FROZEN');
    expect(await chain.balances(wallet)).toMatchObject({ USDC: '110' });
    expect(await chain.transfer(wallet)).toMatchObject({ status: 409, code: 155501 });

    await chain.world.control.call('POST', `/wallets/${wallet.id}/unfreeze`);
    expect(await chain.transfer(wallet)).toMatchObject({ status: 201 });
  });

  test('is not screened where the world is set so, or screening does not know the blockchain', async () => {
    const { chain, wallet } = await funded({ transactionScreening: false });
    const base = await chain.wallet('BASE-SEPOLIA');
    await chain.fund(base, { native: '1', USDC: '10' });
    const off = await chain.transfer(wallet, { destinationAddress: ending('9999') });
    await chain.settle();
    await chain.world.control.changeSettings({ transactionScreening: true });
    const other = await chain.transfer(base, { destinationAddress: ending('9999') });
    await chain.settle();
    for (const { data } of [off, other]) {
      const transaction = await chain.transaction(data.id);
      expect(transaction.state).toBe('COMPLETE');
      expect(transaction).not.toHaveProperty('transactionScreeningEvaluation');
    }
  });
});
