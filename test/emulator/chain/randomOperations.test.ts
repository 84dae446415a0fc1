import type { Blockchain } from '../../../src/domain/chains';
import { CHAINS } from '../../../src/domain/chains';
import { fromBaseUnits, toBaseUnits } from '../../../src/domain/money';
import { isFinal } from '../../../src/domain/transactionState';
import { audit } from '../../../src/emulator/audit/audit';
import { feeAtLevel, GAS, nativeDecimals } from '../../../src/emulator/chains/fees';
import { evmContracts } from '../../../src/emulator/crossChain/addresses';
import { accountOf, assetOf, parseAsset } from '../../../src/emulator/ledger/ledger';
import { fixedAddress } from '../../../src/emulator/ledger/tokenCatalog';
import { isEip1559 } from '../../../src/emulator/transactions/eip1559';
import { RandomWorld } from './randomWorld';
import { STRANGER, token } from './support';

const OPERATIONS = 5_000;
const SEED = 20_261_128;

interface Owned {
  id: string;
  address: string;
  blockchain: Blockchain;
  accountType: string;
  walletSetId: string;
}

const JUNK = [
  undefined,
  null,
  '',
  'abc',
  '0x',
  '-1',
  '1e9',
  0,
  -5,
  1.5,
  true,
  [],
  {},
  ['1', '2'],
  STRANGER,
  'SOL-DEVNET',
];
const FIELDS = ['walletId', 'tokenId', 'amounts', 'feeLevel', 'gasLimit', 'maxFee', 'destinationAddress', 'callData'];

test('5,000 random operations cause no 5xx, keep the ledger balanced at every step and leave no gaps in nonces', async () => {
  const life = new RandomWorld(SEED);
  const { world } = life;
  const { store } = world;
  const spentOutside = new Map<string, bigint>();

  const walletSetId = life.send('createWalletSet', {}).walletSet.id as string;
  const create = (blockchains: Blockchain[], count: number, accountType: 'EOA' | 'SCA') =>
    life.send('createWallets', { body: { walletSetId, blockchains, count, accountType } }).wallets as Owned[];
  const owned = [
    ...create(['ETH-SEPOLIA'], 4, 'EOA'),
    ...create(['AVAX-FUJI', 'MATIC-AMOY'], 2, 'EOA'),
    ...create(['ETH-SEPOLIA', 'MATIC-AMOY'], 2, 'SCA'),
    ...create(['SOL-DEVNET', 'APTOS-TESTNET', 'ARC-TESTNET'], 2, 'EOA'),
  ];
  const isEvm = ({ blockchain }: Owned) => CHAINS[blockchain].family === 'evm';
  const evm = owned.filter(isEvm);
  const inbound = ({ id, blockchain }: Owned, symbol: string, amount: string, nftTokenId?: string) =>
    life.control(
      'POST /wallets/{id}/inbound',
      { id },
      {
        tokenId: token(blockchain, symbol),
        amount,
        nftTokenId,
      },
    );
  for (const wallet of owned) {
    inbound(wallet, 'USDC', '50');
    inbound(wallet, 'native', '2');
    if (!isEvm(wallet)) continue;
    inbound(wallet, 'SCOL', '1', wallet.id);
    inbound(wallet, 'SEDN', '20', '1');
    inbound(wallet, 'SEDN', '20', '2');
  }
  await life.advance(600_000);

  const sent: string[] = [];
  const keep = ({ id }: { id: string }) => sent.push(id);
  const recent = () => ({ id: sent[Math.max(0, sent.length - 1 - life.draw(12))] ?? owned[0]!.id });
  const destination = ({ blockchain }: Owned) =>
    life.chance(3)
      ? fixedAddress(blockchain, 'stranger')
      : life.pick(owned.filter((other) => other.blockchain === blockchain)).address;
  const fee = (wallet: Owned): object => {
    if (wallet.accountType === 'SCA' || !isEvm(wallet) || life.chance(2)) {
      return { feeLevel: life.pick(['LOW', 'MEDIUM', 'HIGH']) };
    }
    const price = life.pick(['1', '9', '30', '60']);
    if (wallet.blockchain === 'AVAX-FUJI') return { gasLimit: '200000', gasPrice: price };
    return { gasLimit: '200000', maxFee: price, priorityFee: '1' };
  };
  const transfer = (wallet: Owned, body: object) =>
    keep(
      life.send('createTransfer', {
        body: { walletId: wallet.id, destinationAddress: destination(wallet), ...fee(wallet), ...body },
      }),
    );
  const amount = () => `${life.chance(20) ? 900 : life.draw(3)}.${life.draw(900_000) + 1_000}`;

  const operations: readonly (readonly [share: number, run: () => unknown])[] = [
    [
      30,
      () => {
        const wallet = life.pick(owned);
        const symbol = life.pick(['USDC', 'EURC', 'native']);
        transfer(wallet, {
          tokenId: token(wallet.blockchain, symbol),
          amounts: [symbol === 'native' ? `0.0${life.draw(90_000) + 1_000}` : amount()],
        });
      },
    ],
    [
      10,
      () => {
        const wallet = life.pick(evm);
        const edition = life.chance(2);
        const ids = edition ? life.pick([['1'], ['2'], ['1', '2'], ['3']]) : [life.pick(evm).id];
        transfer(wallet, {
          tokenId: token(wallet.blockchain, edition ? 'SEDN' : 'SCOL'),
          nftTokenIds: ids,
          amounts: life.chance(10) ? ['1'] : ids.map(() => (edition ? `${life.draw(4) + 1}` : '1')),
        });
      },
    ],
    [
      8,
      () => {
        const wallet = life.pick(evm);
        const call = { abiFunctionSignature: 'approve(address,uint256)', abiParameters: [STRANGER, '1'] };
        const body = { walletId: wallet.id, contractAddress: STRANGER, ...fee(wallet), ...call };
        keep(life.send('createContractExecution', { body: { ...body, ...(life.chance(2) && { amount: '0.001' }) } }));
      },
    ],
    [
      12,
      () => {
        const wallet = life.pick(evm.filter(({ blockchain }) => blockchain === 'ETH-SEPOLIA'));
        const other = life.pick(evm.filter(({ blockchain }) => blockchain === 'ETH-SEPOLIA'));
        const usdc = store.tokens.get(token('ETH-SEPOLIA', 'USDC'))!.tokenAddress!;
        const { messenger } = evmContracts('test');
        const recipient = `0x${other.address.slice(2).padStart(64, '0')}`;
        const units = `${life.draw(2_000_000) + 1_000}`;
        const [contractAddress, abiFunctionSignature, abiParameters] = life.pick([
          [usdc, 'approve(address,uint256)', [other.address, units]],
          [usdc, 'approve(address,uint256)', [messenger, units]],
          [usdc, 'transferFrom(address,address,uint256)', [other.address, wallet.address, `${life.draw(500_000)}`]],
          [
            messenger,
            'depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)',
            [`${life.draw(900_000) + 1}`, 6, recipient, usdc, `0x${'0'.repeat(64)}`, '0', 2_000],
          ],
        ]);
        const call = { contractAddress, abiFunctionSignature, abiParameters };
        keep(life.send('createContractExecution', { body: { walletId: wallet.id, ...fee(wallet), ...call } }));
      },
    ],
    [6, () => life.send('accelerateTransaction', { params: recent() })],
    [6, () => life.send('cancelTransaction', { params: recent() })],
    [4, () => life.control('POST /transactions/{id}/stick', recent())],
    [4, () => life.control('POST /transactions/{id}/reorg', recent())],
    [2, () => life.control('POST /transactions/{id}/deny', recent())],
    [2, () => life.control('POST /transactions/{id}/pace', recent(), { confirmAfterMs: life.draw(90_000) })],
    [2, () => life.control('POST /transactions/{id}/label', recent(), { state: 'NEW', durationMs: life.draw(9_000) })],
    [
      3,
      () =>
        life.control('POST /transactions/{id}/fail', recent(), {
          errorReason: life.pick(['FAILED_ON_CHAIN', 'INTERNAL_ERROR', 'ESTIMATION_ERROR']),
        }),
    ],
    [2, () => life.control(`POST /wallets/{id}/${life.pick(['freeze', 'unfreeze', 'unfreeze'])}`, life.pick(owned))],
    [
      4,
      () => {
        const wallet = life.pick(owned);
        inbound(wallet, life.pick(['native', 'EURC']), `0.${life.draw(900_000) + 1_000}`);
      },
    ],
    [
      3,
      () => {
        const { id, address, blockchain } = life.pick(owned);
        const tokenId = token(blockchain, life.pick(['native', 'EURC']));
        const native = token(blockchain, 'native');
        const { expected } = feeAtLevel(blockchain, 'MEDIUM', GAS.native, isEip1559(world, blockchain));
        const { decimals = 0 } = store.tokens.get(tokenId)!;
        const balance = store.ledger.balance(accountOf(blockchain, address), tokenId);
        // Sometimes the whole balance, regardless of reserved funds.
        const available = balance - (tokenId === native ? expected : 0n);
        const spent =
          life.chance(3) && available > 0n ? fromBaseUnits(available, decimals) : `0.${life.draw(500_000) + 1_000}`;
        life.control('POST /wallets/{id}/broadcast', { id }, { tokenId, amount: spent });
        for (const [asset, units] of [
          [tokenId, toBaseUnits(spent, decimals)],
          [native, expected],
        ] as const) {
          spentOutside.set(`${id}/${asset}`, (spentOutside.get(`${id}/${asset}`) ?? 0n) + units);
        }
      },
    ],
    [
      2,
      () => {
        const { address, blockchain } = life.pick(owned);
        life.send('requestDrip', { body: { address, blockchain, usdc: true, native: life.chance(2) } });
      },
    ],
    [
      1,
      () =>
        owned.push(life.send('deriveWallet', { params: { id: life.pick(owned).id, blockchain: 'AVAX-FUJI' } }).wallet),
    ],
    [2, () => life.send('getLowestNonceTransaction', { query: { walletId: life.pick(evm).id } })],
    [2, () => life.send('listBalances', { params: { id: life.pick(owned).id }, query: { includeAll: 'true' } })],
    [2, () => life.send('listTransactions', { query: { pageSize: '50', walletIds: life.pick(owned).id } })],
    [
      6,
      () => {
        const { id: walletId, blockchain } = life.pick(owned);
        const body = { walletId, tokenId: token(blockchain, 'USDC'), destinationAddress: STRANGER, amounts: ['1'] };
        const junk = Object.fromEntries([0, 1].map(() => [life.pick(FIELDS), life.pick(JUNK)]));
        const operation = life.pick(['createTransfer', 'createContractExecution', 'estimateTransferFee'] as const);
        const response = life.send(operation, {
          body: { ...body, feeLevel: 'LOW', contractAddress: STRANGER, ...junk },
        });
        if (response.id) keep(response);
      },
    ],
  ];
  const wheel = operations.flatMap(([share, run]) => Array<() => unknown>(share).fill(run));

  const outcomes = { done: 0, refused: 0 };
  for (let n = 0; n < OPERATIONS; n++) {
    outcomes[life.attempt(life.pick(wheel)) ? 'done' : 'refused'] += 1;
    if (life.chance(6)) await life.advance(life.draw(40_000));
    const problems = [...life.thrown, ...(n % 50 === 0 ? audit(world) : store.ledger.audit()).problems];
    if (problems.length > 0) throw new Error(`After operation ${n}`, { cause: problems });
  }

  // Release everything that is still stuck or frozen.
  for (const wallet of owned) life.control('POST /wallets/{id}/unfreeze', wallet);
  for (let n = 0; n < 50 && store.transactions.all().some(({ resource }) => !isFinal(resource.state)); n++) {
    for (const { id, resource } of store.transactions.all()) {
      if (resource.state === 'STUCK') life.attempt(() => life.send('cancelTransaction', { params: { id } }));
    }
    await life.advance(600_000);
  }
  expect(life.thrown).toEqual([]);
  expect(audit(world)).toMatchObject({ ok: true, problems: [] });
  expect(store.ledger.reservationOwners()).toEqual([]);
  expect(outcomes.done).toBeGreaterThan(1_500);
  expect(outcomes.refused).toBeGreaterThan(500);
  const ends = new Set(store.transactions.all().map(({ resource: { state, errorReason } }) => errorReason ?? state));
  expect([...ends].toSorted()).toEqual([
    'CANCELLED',
    'COMPLETE',
    'DENIED',
    'ESTIMATION_ERROR',
    'FAILED_ON_CHAIN',
    'FAILED_REORG',
    'INSUFFICIENT_NATIVE_TOKEN',
    'INTERNAL_ERROR',
    'TRANSACTION_UNDER_PRICE',
  ]);

  // Checks without the ledger's own records: deposits minus transfers and fees must equal the balance.
  const expected = new Map<string, bigint>();
  const count = (walletId: string, tokenId: string, units: bigint) =>
    expected.set(`${walletId}/${tokenId}`, (expected.get(`${walletId}/${tokenId}`) ?? 0n) + units);
  for (const { resource, wallet, action } of store.transactions.all()) {
    const { transactionType, state, amounts = [], networkFee, blockchain } = resource;
    const native = token(blockchain, 'native');
    const tokenId = resource.tokenId ?? native;
    // Arc's USDC has two tokens and one balance.
    const coin = tokenId === token('ARC-TESTNET', 'USDC') ? native : tokenId;
    const { decimals = 0 } = store.tokens.get(coin)!;
    const sign = transactionType === 'INBOUND' ? 1n : -1n;
    if (state === 'COMPLETE') for (const text of amounts) count(wallet.id, coin, sign * toBaseUnits(text, decimals));
    if (action?.type === 'call' && state === 'COMPLETE') {
      const { movements = [] } = store.effectLog.get(blockchain, resource.txHash ?? '') ?? {};
      for (const { from, asset, units } of movements) {
        // The amounts of a contract call are its native tokens.
        const payer = asset === native ? undefined : store.walletsByAccount.get(from);
        if (payer) count(payer.id, asset, -units);
      }
    }
    if (networkFee !== undefined && wallet.resource.accountType === 'EOA') {
      count(wallet.id, native, -toBaseUnits(networkFee, nativeDecimals(blockchain)));
    }
  }
  expect(world.crossChain.burns.all().length).toBeGreaterThan(0);
  const reorged = store.transactions.all().filter(({ resource }) => resource.errorReason === 'FAILED_REORG');
  expect(reorged.some(({ action }) => action?.type === 'call')).toBe(true);
  for (const [asset, units] of spentOutside) expected.set(asset, (expected.get(asset) ?? 0n) - units);
  const found = new Map<string, bigint>();
  for (const { id, resource } of store.wallets.all()) {
    for (const [asset, units] of store.ledger.balancesOf(accountOf(resource.blockchain, resource.address))) {
      const name = `${id}/${assetOf(parseAsset(asset).tokenId)}`;
      found.set(name, (found.get(name) ?? 0n) + units);
    }
  }
  expect(found).toEqual(expected);

  for (const { id } of evm) {
    const nonces = store.transactions
      .all()
      .flatMap(({ wallet, nonce }) => (wallet.id === id && nonce !== undefined ? [nonce] : []));
    const { blockchain, address } = store.wallets.get(id)!.resource;
    const outside = store.outOfBandNonces.get(accountOf(blockchain, address))?.used ?? [];
    const all = [...nonces, ...outside].toSorted((a, b) => a - b);
    expect(all).toEqual(all.map((_nonce, position) => position));
  }
});
