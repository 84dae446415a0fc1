import fc from 'fast-check';
import type { OperationId } from '../../../src/api/contract';
import type { Blockchain } from '../../../src/domain/chains';
import type { Call } from '../../../src/emulator/area';
import { transactions } from '../../../src/emulator/areas/transactions';
import { wallets } from '../../../src/emulator/areas/wallets';
import { walletSets } from '../../../src/emulator/areas/walletSets';
import { audit } from '../../../src/emulator/audit';
import { chainControls } from '../../../src/emulator/control/chain';
import { Ledger, OUTSIDE_ACCOUNTS, accountOf } from '../../../src/emulator/ledger';
import { Refusal } from '../../../src/emulator/refusal';
import { Worlds } from '../../../src/emulator/worlds';
import { STRANGER, token } from './support';

const { faucet } = OUTSIDE_ACCOUNTS;

test('only what is there and not set apart can be moved', () => {
  const ledger = new Ledger();
  const [a, b] = [accountOf('ETH', '0xAA'), accountOf('ETH', '0xBB')];
  ledger.move({ from: faucet, to: a, asset: 'usdc', units: 10n });
  ledger.reserve('tx', a, 'usdc', 7n);
  expect(ledger.available(a, 'usdc')).toBe(3n);
  expect(() => ledger.move({ from: a, to: b, asset: 'usdc', units: 4n })).toThrow('less than 4');
  expect(() => ledger.reserve('other', a, 'usdc', 4n)).toThrow("can't set 4");
  expect(() => ledger.move({ from: a, to: b, asset: 'usdc', units: -1n })).toThrow("can't be moved");
  ledger.release('tx');
  ledger.move({ from: a, to: b, asset: 'usdc', units: 10n });
  expect(ledger.holdings(a)).toEqual([['usdc', 0n]]);
  expect(ledger.audit()).toEqual({ ok: true, problems: [], balances: 3 });
});

test('hex addresses are blind to case, others are not', () => {
  expect(accountOf('ETH', '0xAA')).toBe(accountOf('ETH', '0xaa'));
  expect(accountOf('SOL', 'AA')).not.toBe(accountOf('SOL', 'aa'));
});

test('whatever is moved, sums stay zero and no wallet negative', () => {
  const accounts = ['a', 'b', 'c', faucet];
  const operation = fc.record({
    kind: fc.constantFrom('move', 'reserve', 'release'),
    from: fc.constantFrom(...accounts),
    to: fc.constantFrom(...accounts),
    asset: fc.constantFrom('x', 'y'),
    units: fc.bigInt({ min: 0n, max: 100n }),
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 100 }), (operations) => {
      const ledger = new Ledger();
      for (const { kind, from, to, asset, units } of operations) {
        try {
          if (kind === 'move') ledger.move({ from, to, asset, units });
          else if (kind === 'reserve' && from !== faucet) ledger.reserve(to, from, asset, units);
          else ledger.release(to);
        } catch {
          // Refused: nothing may have changed, which the audit sees.
        }
      }
      expect(ledger.audit()).toMatchObject({ ok: true, problems: [] });
    }),
  );
});

test('500 random operations leave a ledger that adds up', async () => {
  // Handlers are called directly: HTTP and ciphertexts would take most of the time.
  const world = new Worlds({ clockSpeed: 0, open: true, logger: undefined }).open({
    apiKey: 'TEST_API_KEY:ledger:key',
  });
  const call = <Id extends OperationId>(given: Omit<Call<Id>, 'world' | 'url'>) =>
    ({ world, url: 'http://host', ...given }) as Call<Id>;
  const advance = (ms: number) => world.clock.advanceTo(new Date(world.clock.now().getTime() + ms));
  const control = (path: string, params: object, body?: object) =>
    chainControls[`POST ${path}`]!.run(world, { params, body } as never, undefined as never);

  const made = walletSets.createWalletSet(call({ params: undefined, query: undefined, body: { idempotencyKey: '' } }));
  const walletSetId = made.body.data.walletSet.id;
  const newWallets = (blockchain: Blockchain, count: number, accountType: 'EOA' | 'SCA') =>
    wallets.createWallets(
      call({
        params: undefined,
        query: undefined,
        body: { idempotencyKey: '', walletSetId, blockchains: [blockchain], count, accountType },
      }),
    ).body.data.wallets;
  const all = [
    ...newWallets('ETH-SEPOLIA', 3, 'EOA'),
    ...newWallets('ETH-SEPOLIA', 2, 'SCA'),
    ...newWallets('AVAX-FUJI', 2, 'EOA'),
  ];
  for (const { id, blockchain } of all) {
    control('/wallets/{id}/inbound', { id }, { tokenId: token(blockchain, 'native'), amount: '0.05' });
    control('/wallets/{id}/inbound', { id }, { tokenId: token(blockchain, 'USDC'), amount: '50' });
  }
  await advance(600_000);

  // A generator of its own, so that a failure can be run again.
  let seed = 42;
  const draw = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const sent: string[] = [];
  const transfer = () => {
    const [from, to] = [all[draw(all.length)]!, all[draw(all.length)]!];
    const symbol = ['USDC', 'native'][draw(2)]!;
    const { body } = transactions.createTransfer(
      call({
        params: undefined,
        query: undefined,
        body: {
          idempotencyKey: '',
          walletId: from.id,
          tokenId: token(from.blockchain, symbol),
          destinationAddress: draw(3) === 0 ? STRANGER : to.address,
          amounts: [symbol === 'USDC' ? `${draw(10)}.${draw(1_000_000) + 1}` : `0.00${draw(1_000) + 1}`],
          feeLevel: (['LOW', 'MEDIUM', 'HIGH'] as const)[draw(3)],
        },
      }),
    );
    sent.push(body.data.id);
  };
  const outcomes = { done: 0, refused: 0 };
  for (let n = 0; n < 500; n++) {
    const params = { id: sent[Math.max(0, sent.length - 1 - draw(5))] ?? '' };
    const given = { params, query: undefined, body: { idempotencyKey: '' } };
    const operations = [
      () => transactions.cancelTransaction(call(given)),
      () => transactions.accelerateTransaction(call(given)),
      () => control(`/transactions/{id}/${['stick', 'deny'][draw(2)]}`, params),
      () => control('/transactions/{id}/fail', params, { errorReason: 'FAILED_ON_CHAIN' }),
      ...Array<() => void>(5).fill(transfer),
    ];
    try {
      operations[draw(operations.length)]!();
      outcomes.done += 1;
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal);
      outcomes.refused += 1;
    }
    if (draw(8) === 0) await advance(draw(60_000));
    if (n % 10 === 0) expect(audit(world.store)).toMatchObject({ ok: true, problems: [] });
  }
  await advance(600_000);
  expect(audit(world.store)).toMatchObject({ ok: true, problems: [] });
  expect(outcomes.done).toBeGreaterThan(200);
  expect(outcomes.refused).toBeGreaterThan(50);
  const states = new Set(world.store.transactions.all().map(({ resource }) => resource.state));
  for (const state of ['COMPLETE', 'CANCELLED', 'FAILED', 'DENIED']) expect(states).toContain(state);
});
