const { randomUUID } = require('node:crypto');
const { UNKNOWN_ID, invalid, malformedCursor, malformedId, unknownCursor, unknownId, usedKey } = require('../refusals');
const { BLOCKCHAIN, FEE, STRANGER, settle } = require('../world');

/** The public template of an ERC-20 token. */
const TEMPLATE = 'a1b74add-23e0-4712-88d1-6b3009e85a86';
const TRANSFER = 'Transfer(address,address,uint256)';
/** Code that does nothing, and a constructor with a parameter. */
const BYTECODE = '0x6001600c60003960016000f300';
const CONSTRUCTOR = JSON.stringify([{ type: 'constructor', inputs: [{ type: 'uint256', name: 'supply' }] }]);

const templateParameters = ({ address }) => ({
  name: 'Points',
  symbol: 'PTS',
  defaultAdmin: address,
  primarySaleRecipient: address,
});

/** Contracts, templates, monitors and what they saw. */
module.exports = {
  estimateContractDeploymentFee: {
    with: ({ sender }) => [
      { walletId: sender.id, bytecode: BYTECODE, abiJson: CONSTRUCTOR, constructorParameters: ['7'] },
    ],
    expect: ({ medium }) => ({ 'a network fee is told': [Number(medium?.networkFee) > 0, true] }),
    refused: [
      { code: 155243, status: 400, change: { bytecode: undefined } },
      { code: 175003, status: 400, change: { constructorParameters: [] } },
      { code: 156001, status: 404, change: { walletId: UNKNOWN_ID } },
    ],
  },
  deployContract: {
    with: ({ sender }) => [
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
    async keep({ contractId }, known) {
      await settle(known);
      return { contractId };
    },
    refused: [
      usedKey,
      { code: 155243, status: 400, change: { bytecode: undefined } },
      { code: 175007, status: 400, change: { abiJson: '{"no":"ABI"}' } },
    ],
  },
  getContract: {
    with: ({ contractId }) => [{ id: contractId }],
    expect: ({ contract }) => ({
      status: [contract.status, 'COMPLETE'],
      'has an address': [/^0x[0-9a-fA-F]{40}$/.test(contract.contractAddress), true],
    }),
    refused: [unknownId(175001), malformedId],
  },
  updateContract: {
    with: ({ contractId }) => [{ id: contractId, name: 'Ledger2', description: 'renamed' }],
    expect: ({ contract }) => ({ name: [contract.name, 'Ledger2'] }),
    refused: [
      unknownId(175001),
      { code: 175011, status: 400, with: ({ contractId }) => [{ id: contractId }] },
      invalid({ name: 'no blanks' }),
    ],
  },
  importContract: {
    with: ({ tokens }) => [
      { name: 'USDC', address: tokens.USDC.tokenAddress, blockchain: BLOCKCHAIN, idempotencyKey: randomUUID() },
    ],
    status: 201,
    expect: ({ contract }) => ({ contractInputType: [contract.contractInputType, 'IMPORT'] }),
    refused: [
      usedKey,
      { code: 175004, status: 409, change: {} },
      { code: 175005, status: 400, change: { address: STRANGER } },
      { code: 175410, status: 400, change: { address: 'nowhere' } },
    ],
  },
  listContracts: {
    with: () => [{ blockchain: BLOCKCHAIN, contractInputType: 'IMPORT' }],
    expect: ({ contracts }) => ({ number: [contracts.length, 1], name: [contracts[0]?.name, 'USDC'] }),
    refused: [unknownCursor, malformedCursor],
  },
  queryContract: {
    with: ({ tokens }) => [
      { address: tokens.USDC.tokenAddress, blockchain: BLOCKCHAIN, abiFunctionSignature: 'decimals()' },
    ],
    expect: ({ outputValues }) => ({ decimals: [Number(outputValues[0]), 6] }),
    refused: [
      { code: 175010, status: 400, change: { abiFunctionSignature: 'nothing()' } },
      {
        code: 175013,
        status: 400,
        change: { abiFunctionSignature: 'transfer(address,uint256)', abiParameters: [STRANGER, '1'] },
      },
    ],
  },
  estimateContractTemplateDeploymentFee: {
    with: ({ sender }) => [
      { id: TEMPLATE, blockchain: BLOCKCHAIN, walletId: sender.id, templateParameters: templateParameters(sender) },
    ],
    expect: ({ medium }) => ({ 'a network fee is told': [Number(medium?.networkFee) > 0, true] }),
    refused: [
      unknownId(175201),
      malformedId,
      { code: 175204, status: 400, change: { templateParameters: { symbol: 'PTS' } } },
    ],
  },
  deployContractTemplate: {
    with: ({ sender }) => [
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
    keep: async (_answer, known) => settle(known),
    refused: [
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
    with: ({ tokens }) => [
      {
        blockchain: BLOCKCHAIN,
        contractAddress: tokens.USDC.tokenAddress,
        eventSignature: TRANSFER,
        idempotencyKey: randomUUID(),
      },
    ],
    status: 201,
    expect: ({ eventMonitor }) => ({ isEnabled: [eventMonitor.isEnabled, true] }),
    keep: ({ eventMonitor }) => ({ monitorId: eventMonitor.id }),
    refused: [
      { code: 175302, status: 409, change: {} },
      { code: 175303, status: 400, change: { eventSignature: 'Nothing(uint256)' } },
      { code: 175001, status: 404, change: { contractAddress: STRANGER } },
    ],
  },
  listEventMonitors: {
    with: ({ tokens }) => [{ contractAddress: tokens.USDC.tokenAddress, eventSignature: TRANSFER }],
    expect: ({ eventMonitors }, { monitorId }) => ({ id: [eventMonitors[0]?.id, monitorId] }),
    refused: [unknownCursor, malformedCursor],
  },
  listEventLogs: {
    async given(known) {
      const { control, sender, tokens } = known;
      await control('POST', `/wallets/${sender.id}/inbound`, { tokenId: tokens.USDC.id, amount: '3' });
      await settle(known);
    },
    with: ({ tokens }) => [{ contractAddress: tokens.USDC.tokenAddress, blockchain: BLOCKCHAIN }],
    expect: ({ eventLogs }) => ({ 'units moved': [Number(eventLogs[0]?.data), 3_000_000] }),
    refused: [unknownCursor, malformedCursor],
  },
  updateEventMonitor: {
    with: ({ monitorId }) => [{ id: monitorId, isEnabled: false }],
    expect: ({ eventMonitor }) => ({ isEnabled: [eventMonitor.isEnabled, false] }),
    refused: [unknownId(175301), malformedId],
  },
  deleteEventMonitor: {
    with: ({ monitorId }) => [{ id: monitorId }],
    refused: [unknownId(175301), malformedId],
  },
};
