/**
 * The official SDK, unmodified, against a fresh emulator: a wallet set, wallets, the faucet, a transfer up to COMPLETE,
 * signatures, and refusals. `npm run conformance` runs it; a line for each step, exit code 1 when one fails, 2 when it can't be run.
 */

const { spawn } = require('node:child_process');
const { randomBytes, randomUUID } = require('node:crypto');
const events = require('node:events');
const { existsSync } = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
// The project's own dependency: the SDK checks no signatures.
const {
  keccak256,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
} = require('viem');

const SDK = '@circle-fin/developer-controlled-wallets';
const CLI = path.join(__dirname, '../dist/src/cli/main.js');
const BLOCKCHAIN = 'ETH-SEPOLIA';
/** Minutes of the blockchain pass in a second, so that a transaction is final at the SDK's first or second look. */
const CLOCK_SPEED = 600;
const READY_MS = 30_000;

const CHAIN_ID = 11_155_111;
const TYPED_DATA = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [{ name: 'amount', type: 'uint256' }],
  },
  primaryType: 'Order',
  domain: { name: 'conformance', chainId: CHAIN_ID },
  message: { amount: '125' },
};
const TRANSACTION = {
  type: 'eip1559',
  chainId: CHAIN_ID,
  nonce: 1,
  gas: 21_000n,
  maxFeePerGas: 42n,
  maxPriorityFeePerGas: 1n,
  to: '0x9e4ebf23f713268b8e72cd162337f20c536357c9',
  value: 5n,
};

/** The steps in order: each takes what earlier ones have found, and returns what it shows and what it found. */
const STEPS = {
  'wallet set': async ({ client }) => {
    const { data } = await client.createWalletSet({ name: 'conformance' });
    return { shown: data.walletSet.id, walletSetId: data.walletSet.id };
  },

  wallets: async ({ client, walletSetId }) => {
    const { data } = await client.createWallets({
      walletSetId,
      blockchains: [BLOCKCHAIN],
      accountType: 'EOA',
      count: 2,
    });
    expect('number of wallets', data.wallets.length, 2);
    const [sender, receiver] = data.wallets;
    return { shown: `${sender.address} and ${receiver.address}`, sender, receiver };
  },

  faucet: async ({ client, sender }) => {
    await client.requestTestnetTokens({ address: sender.address, blockchain: BLOCKCHAIN, native: true, usdc: true });
    const balances = await until('the tokens to arrive', async () => {
      const { data } = await client.getWalletTokenBalance({ id: sender.id });
      return data.tokenBalances?.length === 2 ? data.tokenBalances : undefined;
    });
    const usdc = balances.find(({ token }) => token.symbol === 'USDC');
    return { shown: balances.map(({ amount, token }) => `${amount} ${token.symbol}`).join(', '), usdc };
  },

  transfer: async ({ client, sender, receiver, usdc }) => {
    const transfer = {
      walletId: sender.id,
      tokenId: usdc.token.id,
      destinationAddress: receiver.address,
      amount: ['1.25'],
      fee: { type: 'level', config: { feeLevel: 'MEDIUM' } },
      idempotencyKey: randomUUID(),
      refId: 'conformance-1',
    };
    const created = await client.createTransaction(transfer);
    return { shown: created.data.state, transfer, transactionId: created.data.id };
  },

  COMPLETE: async ({ client, receiver, usdc, transfer, transactionId }) => {
    const { data } = await client.getTransaction({ id: transactionId, waitForState: 'COMPLETE' });
    const { state, txHash, refId } = data.transaction;
    expect('state', state, 'COMPLETE');
    expect('refId', refId, transfer.refId);
    expect('what the receiver has', await balanceOf(client, receiver, usdc), transfer.amount[0]);
    return { shown: txHash };
  },

  'a used idempotency key is refused': async ({ client, transfer }) =>
    refusal(156020, () => client.createTransaction({ ...transfer })),

  'more than there is is refused': async ({ client, transfer }) =>
    refusal(155201, () => client.createTransaction({ ...transfer, amount: ['1000000'], idempotencyKey: randomUUID() })),

  'a signed message': async ({ client, sender }) => {
    const message = 'I agree';
    const { data } = await client.signMessage({ walletId: sender.id, message });
    expect('signer', await recoverMessageAddress({ message, signature: data.signature }), sender.address);
    return { shown: data.signature };
  },

  'signed typed data': async ({ client, sender }) => {
    const { data } = await client.signTypedData({ walletId: sender.id, data: JSON.stringify(TYPED_DATA) });
    const signer = await recoverTypedDataAddress({ ...TYPED_DATA, signature: data.signature });
    expect('signer', signer, sender.address);
    return { shown: data.signature };
  },

  'a signed transaction': async ({ client, sender }) => {
    const rawTransaction = serializeTransaction(TRANSACTION);
    const { data } = await client.signTransaction({ walletId: sender.id, rawTransaction });
    const { signedTransaction: serializedTransaction, txHash } = data;
    expect('signer', await recoverTransactionAddress({ serializedTransaction }), sender.address);
    expect('value', parseTransaction(serializedTransaction).value, TRANSACTION.value);
    expect('txHash', txHash, keccak256(serializedTransaction));
    return { shown: txHash, serializedTransaction };
  },

  'a message that is not hex is refused': async ({ client, sender }) =>
    refusal(156023, () => client.signMessage({ walletId: sender.id, message: 'I agree', encodedByHex: true })),

  'typed data without a chain id are refused': async ({ client, sender }) => {
    const data = JSON.stringify({ ...TYPED_DATA, domain: { name: 'conformance' } });
    return refusal(155808, () => client.signTypedData({ walletId: sender.id, data }));
  },

  'a signed transaction is not signed again': async ({ client, sender, serializedTransaction }) =>
    refusal(155804, () => client.signTransaction({ walletId: sender.id, rawTransaction: serializedTransaction })),

  'an unknown transaction is refused': async ({ client }) =>
    refusal(156003, () => client.getTransaction({ id: randomUUID() })),
};

async function main() {
  const sdk = load();
  const apiKey = `TEST_API_KEY:${randomBytes(8).toString('hex')}:${randomBytes(16).toString('hex')}`;
  const entitySecret = randomBytes(32).toString('hex');
  const emulator = await startEmulator({ apiKey, entitySecret });
  const client = sdk.initiateDeveloperControlledWalletsClient({ apiKey, entitySecret, baseUrl: emulator.url });
  let passed = 0;
  let found = { client };
  try {
    console.log(`${SDK} ${require(`${SDK}/package.json`).version}`);
    for (const [name, run] of Object.entries(STEPS)) {
      const { shown, ...more } = await run(found).catch((error) => {
        console.log(`✘ ${name}: ${error.code ?? ''} ${error.message}`);
        return {};
      });
      if (shown === undefined) break;
      console.log(`✔ ${name}: ${shown}`);
      found = { ...found, ...more };
      passed += 1;
    }
  } finally {
    await emulator.stop();
  }
  const left = Object.keys(STEPS).length - passed;
  console.log(`${passed} passed, ${left} failed or not reached`);
  process.exitCode = left === 0 ? 0 : 1;
}

function load() {
  if (!existsSync(CLI)) giveUp('The project is not built. Run: npm run build');
  try {
    return require(SDK);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    return giveUp('The SDK is not installed. Run: npm ci --prefix conformance');
  }
}

/** @returns {never} */
function giveUp(problem) {
  console.error(problem);
  process.exit(2);
}

/** A `walletflow emulator` process; ready when `GET /ping` is answered with 200. */
async function startEmulator({ apiKey, entitySecret }) {
  const port = await freePort();
  const options = { port, 'api-key': apiKey, 'entity-secret': entitySecret, 'clock-speed': CLOCK_SPEED };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [CLI, 'emulator', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill());
  const url = `http://127.0.0.1:${port}`;
  await until('the emulator to be ready', async () => {
    if (child.exitCode !== null) giveUp('The emulator ended at its start.');
    const response = await fetch(`${url}/ping`).catch(() => undefined);
    return response?.ok;
  });
  return {
    url,
    async stop() {
      const exited = events.once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await events.once(server, 'listening');
  const { port } = server.address();
  await events.once(server.close(), 'close');
  return port;
}

/** The first thing that `look` finds. */
async function until(what, look) {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    const found = await look();
    if (found) return found;
    await sleep(100);
  }
  throw new Error(`waited ${READY_MS / 1_000} s for ${what}`);
}

async function balanceOf(client, { id }, { token }) {
  const { data } = await client.getWalletTokenBalance({ id });
  return data.tokenBalances?.find((balance) => balance.token.id === token.id)?.amount ?? '0';
}

/** Expects the SDK to throw with this code of the API. */
async function refusal(code, call) {
  const error = await call().then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!error) throw new Error(`was accepted; ${code} was expected`);
  expect('code', error.code, code);
  return { shown: `${code} ${error.message}` };
}

function expect(what, got, wanted) {
  if (got !== wanted) throw new Error(`${what}: ${wanted} was expected, got ${got}`);
}

void main();
