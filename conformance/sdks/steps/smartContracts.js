const { randomUUID } = require('node:crypto');
const {
  UNKNOWN_ID,
  invalid,
  malformedCursor,
  malformedId,
  unknownCursor,
  unknownId,
  usedKey,
} = require('../errorCases');
const { BLOCKCHAIN, FEE, EXTERNAL_ADDRESS, settle } = require('../world');

/** The public template of an ERC-20 token. */
const TEMPLATE = 'a1b74add-23e0-4712-88d1-6b3009e85a86';
const TRANSFER = 'Transfer(address,address,uint256)';
/** Code without effect, and a constructor with one parameter. */
const BYTECODE = '0x6001600c60003960016000f300';
const CONSTRUCTOR = JSON.stringify([{ type: 'constructor', inputs: [{ type: 'uint256', name: 'supply' }] }]);

const templateParameters = ({ address }) => ({
  name: 'Points',
  symbol: 'PTS',
  defaultAdmin: address,
  primarySaleRecipient: address,
});

/** Contracts, templates, event monitors and event logs. */
module.exports = {
  estimateContractDeploymentFee: {
    args: ({ sender }) => [
      { walletId: sender.id, bytecode: BYTECODE, abiJson: CONSTRUCTOR, constructorParameters: ['7'] },
    ],
    expect: ({ medium }) => ({ 'a network fee is present': [Number(medium?.networkFee) > 0, true] }),
    errors: [
      { code: 155243, status: 400, change: { bytecode: undefined } },
      { code: 175003, status: 400, change: { constructorParameters: [] } },
      { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } },
    ],
  },
  deployContract: {
    args: ({ sender }) => [
      {
        name: 'Ledger1',
        description: 'of the conformance run',
        walletId: sender.id,
        blockchain: BLOCKCHAIN,
        abiJson: CONSTRUCTOR,
        bytecode: BYTECODE,
        constructorParameters: ['7'],
        fee: FEE,
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    async save({ contractId }, context) {
      await settle(context);
      return { contractId };
    },
    errors: [
      usedKey,
      { code: 155243, status: 400, change: { bytecode: undefined } },
      { code: 175007, status: 400, change: { abiJson: '{"no":"ABI"}' } },
    ],
  },
  getContract: {
    args: ({ contractId }) => [{ id: contractId }],
    expect: ({ contract }) => ({
      status: [contract.status, 'COMPLETE'],
      'has an address': [/^0x[0-9a-fA-F]{40}$/.test(contract.contractAddress), true],
    }),
    errors: [unknownId(175001), malformedId],
  },
  updateContract: {
    args: ({ contractId }) => [{ id: contractId, name: 'Ledger2', description: 'renamed' }],
    expect: ({ contract }) => ({ name: [contract.name, 'Ledger2'] }),
    errors: [
      unknownId(175001),
      { code: 175011, status: 400, args: ({ contractId }) => [{ id: contractId }] },
      invalid({ name: 'no blanks' }),
    ],
  },
  importContract: {
    args: ({ tokens }) => [
      { name: 'USDC', address: tokens.USDC.tokenAddress, blockchain: BLOCKCHAIN, idempotencyKey: randomUUID() },
    ],
    status: 201,
    expect: ({ contract }) => ({ contractInputType: [contract.contractInputType, 'IMPORT'] }),
    errors: [
      usedKey,
      { code: 175004, status: 409, change: {} },
      { code: 175005, status: 400, change: { address: EXTERNAL_ADDRESS } },
      { code: 175410, status: 400, change: { address: 'nowhere' } },
    ],
  },
  listContracts: {
    args: () => [{ blockchain: BLOCKCHAIN, contractInputType: 'IMPORT' }],
    expect: ({ contracts }) => ({ number: [contracts.length, 1], name: [contracts[0]?.name, 'USDC'] }),
    errors: [unknownCursor, malformedCursor],
  },
  queryContract: {
    args: ({ tokens }) => [
      { address: tokens.USDC.tokenAddress, blockchain: BLOCKCHAIN, abiFunctionSignature: 'decimals()' },
    ],
    expect: ({ outputValues }) => ({ decimals: [Number(outputValues[0]), 6] }),
    errors: [
      { code: 175010, status: 400, change: { abiFunctionSignature: 'nothing()' } },
      {
        code: 175013,
        status: 400,
        change: { abiFunctionSignature: 'transfer(address,uint256)', abiParameters: [EXTERNAL_ADDRESS, '1'] },
      },
    ],
  },
  estimateContractTemplateDeploymentFee: {
    args: ({ sender }) => [
      { id: TEMPLATE, blockchain: BLOCKCHAIN, walletId: sender.id, templateParameters: templateParameters(sender) },
    ],
    expect: ({ medium }) => ({ 'a network fee is present': [Number(medium?.networkFee) > 0, true] }),
    errors: [
      unknownId(175201),
      malformedId,
      { code: 175204, status: 400, change: { templateParameters: { symbol: 'PTS' } } },
    ],
  },
  deployContractTemplate: {
    args: ({ sender }) => [
      {
        id: TEMPLATE,
        name: 'Points',
        blockchain: BLOCKCHAIN,
        walletId: sender.id,
        templateParameters: templateParameters(sender),
        fee: FEE,
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    expect: ({ contractIds }) => ({ contracts: [contractIds.length, 1] }),
    save: async (_response, context) => settle(context),
    errors: [
      usedKey,
      unknownId(175201),
      {
        code: 175203,
        status: 400,
        change: ({ sender }) => ({ templateParameters: { ...templateParameters(sender), defaultAdmin: 'nobody' } }),
      },
    ],
  },
  createEventMonitor: {
    args: ({ tokens }) => [
      {
        blockchain: BLOCKCHAIN,
        contractAddress: tokens.USDC.tokenAddress,
        eventSignature: TRANSFER,
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    expect: ({ eventMonitor }) => ({ isEnabled: [eventMonitor.isEnabled, true] }),
    save: ({ eventMonitor }) => ({ monitorId: eventMonitor.id }),
    errors: [
      { code: 175302, status: 409, change: {} },
      { code: 175303, status: 400, change: { eventSignature: 'Nothing(uint256)' } },
      { code: 175001, status: 404, change: { contractAddress: EXTERNAL_ADDRESS } },
    ],
  },
  listEventMonitors: {
    args: ({ tokens }) => [{ contractAddress: tokens.USDC.tokenAddress, eventSignature: TRANSFER }],
    expect: ({ eventMonitors }, { monitorId }) => ({ id: [eventMonitors[0]?.id, monitorId] }),
    errors: [unknownCursor, malformedCursor],
  },
  listEventLogs: {
    async setup(context) {
      const { control, sender, tokens } = context;
      await control('POST', `/wallets/${sender.id}/inbound`, { tokenId: tokens.USDC.id, amount: '3' });
      await settle(context);
    },
    args: ({ tokens }) => [{ contractAddress: tokens.USDC.tokenAddress, blockchain: BLOCKCHAIN }],
    expect: ({ eventLogs }) => ({ 'units moved': [Number(eventLogs[0]?.data), 3_000_000] }),
    errors: [unknownCursor, malformedCursor],
  },
  updateEventMonitor: {
    args: ({ monitorId }) => [{ id: monitorId, isEnabled: false }],
    expect: ({ eventMonitor }) => ({ isEnabled: [eventMonitor.isEnabled, false] }),
    errors: [unknownId(175301), malformedId],
  },
  deleteEventMonitor: {
    args: ({ monitorId }) => [{ id: monitorId }],
    errors: [unknownId(175301), malformedId],
  },
};
