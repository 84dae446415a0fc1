/** Data to sign. */

const { base58 } = require('@scure/base');
const { serializeTransaction } = require('viem');

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

const RAW_TRANSACTION = serializeTransaction({
  type: 'eip1559',
  chainId: CHAIN_ID,
  nonce: 1,
  gas: 21_000n,
  maxFeePerGas: 42n,
  maxPriorityFeePerGas: 1n,
  to: '0x9e4ebf23f713268b8e72cd162337f20c536357c9',
  value: 5n,
});

/** A NEAR delegate action without actions: borsh, in base64. @param address the account's public key in hex */
function delegateAction(address) {
  const length = (value) => Buffer.from(Uint32Array.of(value).buffer);
  const text = (value) => Buffer.concat([length(value.length), Buffer.from(value)]);
  const nonce = Buffer.alloc(8, 1);
  const publicKey = Buffer.concat([Buffer.of(0), Buffer.from(address, 'hex')]);
  const parts = [text(address), text('receiver.testnet'), length(0), nonce, nonce, publicKey];
  return Buffer.concat(parts).toString('base64');
}

/** An unsigned legacy Solana transaction that sends five lamports from an account, in base64. */
function solanaTransfer(address) {
  const signatures = [Buffer.of(1), Buffer.alloc(64)];
  const accounts = [Buffer.of(3), base58.decode(address), Buffer.alloc(32, 7), Buffer.alloc(32)];
  const recentBlockhash = Buffer.alloc(32, 9);
  const transfer = Buffer.from([2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]);
  const instructions = [Buffer.of(1), Buffer.of(2, 2, 0, 1, transfer.length), transfer];
  return Buffer.concat([...signatures, Buffer.of(1, 0, 1), ...accounts, recentBlockhash, ...instructions]).toString(
    'base64',
  );
}

module.exports = { TYPED_DATA, RAW_TRANSACTION, delegateAction, solanaTransfer };
