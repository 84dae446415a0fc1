/**
 * The blockchain adapter of the bridging SDKs. The SDKs include none and there is no RPC node, so the emulator's controls
 * burn and mint. Balances, allowances and gas are invented, so that transfers reach the burn.
 */

const { bytesToHex, hexToBytes } = require('viem');

const ADDRESS_BYTES = 20;
/** Balance of every address, in base units. */
const BALANCE = '1000000000000';
const GAS = 100_000n;

const read = (value) => ({
  type: 'noop',
  execute: async () => value,
  estimate: async () => ({ gas: 0n, gasPrice: 0n, fee: '0' }),
});
const send = (execute) => ({
  type: 'evm',
  execute,
  estimate: async () => ({ gas: GAS, gasPrice: 1n, fee: String(GAS) }),
});
const address = (bytes32) => bytesToHex(hexToBytes(bytes32).slice(-ADDRESS_BYTES));

/** @param owner sender of all transactions */
function chainAdapter(control, owner) {
  const actions = {
    'usdc.balanceOf': () => read(BALANCE),
    'native.balanceOf': () => read(BALANCE),
    'usdc.allowance': () => read('0'),
    'usdc.increaseAllowance': () => send(async () => hashOf(1)),
    'cctp.v2.depositForBurn': burnOf,
    'cctp.v2.customBurn': burnOf,
    'cctp.v2.depositForBurnWithHook': burnOf,
    'cctp.v2.customBurnWithHook': burnOf,
    'cctp.v2.receiveMessage': ({ toChain, message, attestation }) =>
      send(async () => {
        const mint = { destinationDomain: toChain.cctp.domain, message, attestation, caller: owner };
        const { state, txHash, reason } = await control('POST', '/mints', mint);
        if (state !== 'minted') throw new Error(`execution reverted: ${reason}`);
        return txHash;
      }),
  };

  function burnOf({ fromChain, toChain, amount, mintRecipient, maxFee, minFinalityThreshold, hookData }) {
    return send(async () => {
      const burn = await control('POST', '/burns', {
        sourceDomain: fromChain.cctp.domain,
        destinationDomain: toChain.cctp.domain,
        amount: String(amount),
        mintRecipient: address(mintRecipient),
        messageSender: fromChain.kitContracts?.bridge ?? owner,
        maxFee: String(maxFee),
        minFinalityThreshold,
        hookData,
      });
      await adapter.afterBurn(burn);
      return burn.txHash;
    });
  }

  const adapter = {
    /** Runs after each burn. Step tables replace it. */
    async afterBurn() {},
    capabilities: { addressContext: 'user-controlled', supportedChains: [] },
    getAddress: async () => owner,
    validateChainSupport() {},
    async prepareAction(name, params) {
      const action = actions[name];
      if (!action) throw new Error(`The adapter does not support ${name}`);
      return action(params);
    },
    prepare: async () => read(undefined),
    waitForTransaction: async (txHash) => ({ txHash, status: 'success', blockNumber: 1n, blockHash: txHash }),
    calculateTransactionFee: async (gas) => ({ gas, gasPrice: 1n, fee: String(gas) }),
  };
  return adapter;
}

const hashOf = (number) => `0x${String(number).padStart(64, '0')}`;

module.exports = { chainAdapter };
