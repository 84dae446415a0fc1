/** Valid bodies by operation. The fuzzer changes up to two fields of them. */

const message = { message: 'Hello', walletId: '' };
const transfer = { tokenId: '', destinationAddress: '', amounts: ['0.01'], feeLevel: 'MEDIUM', walletId: '' };
const domain = { name: 'Mail', version: '1', chainId: 11155111 };
const typedData = JSON.stringify({
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Mail: [{ name: 'contents', type: 'string' }],
  },
  primaryType: 'Mail',
  domain,
  message: { contents: 'Hello' },
});
const legalName = (legalPersonName) => ({
  legalPerson: {
    name: {
      nameIdentifier: [{ legalPersonName, legalPersonNameIdentifierType: 'LEGL' }],
    },
  },
});
const exchange = '0x774d7851bbda86ed5314823758baf3840166a9f5';

/**
 * @param wallet {{ id: string, address: string, blockchain: string }} a developer wallet with tokens
 * @param userWallet a wallet of the user
 */
function bodies({ wallet, userWallet, walletSetId, token, contractAddress, deviceId, abi }) {
  const { blockchain, address } = wallet;
  const send = { ...transfer, walletId: wallet.id, tokenId: token.id, destinationAddress: address };
  const execute = {
    walletId: wallet.id,
    contractAddress,
    feeLevel: 'MEDIUM',
    abiFunctionSignature: 'approve(address,uint256)',
    abiParameters: [address, '1'],
  };
  const deploy = { name: 'Box', walletId: wallet.id, blockchain, feeLevel: 'MEDIUM' };
  const templateParameters = {
    name: 'Points',
    symbol: 'PTS',
    defaultAdmin: address,
    primarySaleRecipient: address,
    royaltyRecipient: address,
    royaltyPercent: '0.05',
  };
  const buy = {
    rampType: 'BUY',
    blockchain,
    paymentMethodType: 'WIRE',
    fiatAmount: { amount: '1000.00', currency: 'USD' },
  };
  const pii = {
    customerJurisdiction: 'US',
    transactionAsset: 'USDC',
    transactionAmount: '5000000000',
    destination: exchange,
    ivms101: {
      originator: { originatorPerson: [legalName('Sample Ltd')], accountNumber: [address] },
      beneficiary: { beneficiaryPerson: [legalName('Other Ltd')], accountNumber: [exchange] },
    },
  };
  return {
    createMonitoredTokens: { tokenIds: [token.id] },
    createWalletSet: { name: 'a set' },
    createWallets: { walletSetId, blockchains: [blockchain], count: 1 },
    createUserWallets: { blockchains: ['BASE-SEPOLIA'] },
    requestDrip: { address, blockchain, usdc: true },
    validateAddress: { address, blockchain },
    estimateTransferFee: send,
    estimateContractExecutionFee: execute,
    createTransfer: send,
    createContractExecution: execute,
    createUserTransfer: { ...send, walletId: userWallet.id },
    createUserContractExecution: { ...execute, walletId: userWallet.id },
    signMessage: { ...message, walletId: wallet.id },
    signUserMessage: { ...message, walletId: userWallet.id },
    signTypedData: { walletId: wallet.id, data: typedData },
    signUserTypedData: { walletId: userWallet.id, data: typedData },
    signTransaction: {
      walletId: wallet.id,
      transaction: JSON.stringify({
        to: address,
        value: '1',
        chainId: 11155111,
        nonce: 0,
        gas: 21000,
        maxFeePerGas: '10',
        maxPriorityFeePerGas: '1',
      }),
    },
    createSocialDeviceToken: { deviceId },
    createEmailDeviceToken: { deviceId, email: 'anna@example.com' },
    screenAddress: { address: exchange, chain: blockchain },
    checkTravelRuleEligibility: pii,
    sendPii: pii,
    listTravelRuleMessages: { customerJurisdiction: 'US' },
    uploadOwnershipProof: { transactionAsset: 'ETH', address, type: 'self-declaration', proof: 'It is mine' },
    createRampQuote: buy,
    createRampSession: {
      mode: 'QUOTE_SCREEN',
      rampType: 'BUY',
      walletAddress: { blockchain, address },
      country: { countryCode: 'US', subdivisionCode: 'CA' },
    },
    importContract: { name: 'A token', address: contractAddress, blockchain },
    deployContract: { ...deploy, abiJson: '[]', bytecode: '0x6001600c60003960016000f300' },
    deployContractTemplate: { ...deploy, templateParameters },
    estimateContractDeployFee: { blockchain, bytecode: '0x6001600c60003960016000f300', walletId: wallet.id },
    estimateContractTemplateDeployFee: { blockchain, walletId: wallet.id, templateParameters },
    queryContract: { address: contractAddress, blockchain, abiFunctionSignature: 'totalSupply()', abiJson: abi },
    createEventMonitor: { blockchain, contractAddress, eventSignature: 'Transfer(address,address,uint256)' },
  };
}

module.exports = { bodies };
