import type { Hex } from 'viem';
import { domainOf } from '../../../domain/cctp';
import { evmContracts, fromBytes32, messengerOf, toBytes32, ZERO_BYTES32 } from '../../crossChain/addresses';
import { burnRevertReason } from '../../crossChain/burnChecks';
import { burn, revertBurn } from '../../crossChain/burns';
import { bodyOf, encodeMessage } from '../../crossChain/message';
import { checkMessage, isMinted, markMinted } from '../../crossChain/receiveMessage';
import { fixedId } from '../../ledger/tokenCatalog';
import { codeAt } from '../contractCode';
import type { Execution } from '../execution';
import { Revert } from '../revert';
import { MESSENGER_ABI, TRANSMITTER_ABI } from './abis';
import { burnFrom, mintTo, spend } from './erc20';
import { emit, type Frame, nativeContract } from './nativeContract';

interface Deposit {
  amount: bigint;
  destinationDomain: number;
  mintRecipient: Hex;
  burnToken: Hex;
  destinationCaller: Hex;
  maxFee: bigint;
  minFinalityThreshold: number;
  hookData: Hex;
}

/**
 * Burns USDC that the caller has approved, to be minted on another blockchain:
 * docs/api-behavior.md#cross-chain-attestations
 */
export const MESSENGER = nativeContract(MESSENGER_ABI, {
  depositForBurn: (frame, ...args) => depositForBurn(frame, depositOf([...args, '0x'])),
  depositForBurnWithHook(frame, ...args) {
    const deposit = depositOf(args);
    if (deposit.hookData === '0x') throw new Revert('Hook data is empty');
    depositForBurn(frame, deposit);
  },
});

/** Mints for messages that the attesters have signed, once per message. */
export const TRANSMITTER = nativeContract(TRANSMITTER_ABI, {
  localDomain: (frame) => localDomain(frame),
  usedNonces: (frame, nonce) =>
    isMinted(frame.execution.world, { destinationDomain: localDomain(frame), nonce }) ? 1n : 0n,
  receiveMessage(frame, message, attestation) {
    const { execution, sender } = frame;
    const { world } = execution;
    const call = { destinationDomain: localDomain(frame), message, attestation, caller: sender };
    const checked = checkMessage(world, call);
    if ('reason' in checked) throw new Revert(checked.reason);
    const { sourceDomain, nonce, sender: from, finalityThresholdExecuted, ...burned } = checked.message;
    const token = usdc(frame);
    const mintRecipient = fromBytes32(localDomain(frame), burned.mintRecipient) as Hex;
    const amount = burned.amount - burned.feeExecuted;
    mintTo({ execution, contract: token, sender: frame.contract.address }, mintRecipient, amount);
    const messenger = { ...frame.contract, address: evmContracts(world.kind).messenger };
    emit({ ...frame, contract: messenger }, MESSENGER_ABI, 'MintAndWithdraw', {
      mintRecipient,
      amount,
      mintToken: token.address,
      feeCollected: burned.feeExecuted,
    });
    emit(frame, TRANSMITTER_ABI, 'MessageReceived', {
      caller: sender,
      sourceDomain,
      nonce,
      sender: from,
      finalityThresholdExecuted,
      messageBody: bodyOf(message),
    });
    execution.onCommit(({ txHash }) => markMinted(world, checked.message, txHash));
    return true;
  },
});

function depositOf(args: readonly [bigint, number, Hex, Hex, Hex, bigint, number, Hex]): Deposit {
  const [amount, destinationDomain, mintRecipient, burnToken, destinationCaller, maxFee, minFinality, hookData] = args;
  return {
    amount,
    destinationDomain,
    mintRecipient,
    burnToken,
    destinationCaller,
    maxFee,
    minFinalityThreshold: minFinality,
    hookData,
  };
}

function depositForBurn(frame: Frame, deposit: Deposit): void {
  const { execution, contract, sender } = frame;
  const { world } = execution;
  const { amount, destinationDomain, mintRecipient, destinationCaller, maxFee, hookData } = deposit;
  const sourceDomain = localDomain(frame);
  const reason = burnRevertReason(world, { ...deposit, sourceDomain }, usdcAddress(frame.execution));
  if (reason !== undefined) throw new Revert(reason);
  const token = usdc(frame);
  const asMessenger = { execution, contract: token, sender: contract.address };
  spend(asMessenger, sender, amount);
  burnFrom(asMessenger, sender, amount);
  const burned = {
    sourceDomain,
    destinationDomain,
    burnToken: toBytes32(sourceDomain, token.address),
    amount,
    mintRecipient,
    messageSender: toBytes32(sourceDomain, sender),
    destinationCaller,
    minFinalityThreshold: deposit.minFinalityThreshold,
    maxFee,
    hookData,
  };
  emit(frame, MESSENGER_ABI, 'DepositForBurn', {
    ...deposit,
    burnToken: token.address,
    depositor: sender,
    destinationTokenMessenger: messengerOf(destinationDomain, world.kind),
  });
  const transmitter = { ...contract, address: evmContracts(world.kind).transmitter };
  emit({ ...frame, contract: transmitter }, TRANSMITTER_ABI, 'MessageSent', {
    // The fields that the attesters fill in are still empty.
    message: encodeMessage({
      ...burned,
      nonce: ZERO_BYTES32,
      sender: messengerOf(sourceDomain, world.kind),
      recipient: messengerOf(destinationDomain, world.kind),
      finalityThresholdExecuted: 0,
      feeExecuted: 0n,
      expirationBlock: 0n,
    }),
  });
  execution.onCommit(({ txHash }) => {
    const logIndex = world.crossChain.burnsIn(sourceDomain, txHash).length;
    const row = burn(world, { ...burned, txHash, logIndex });
    // Once attested, the message can be minted, so the burn can no longer be undone.
    return { isUsed: () => row.attested !== undefined, undo: () => revertBurn(world, row) };
  });
}

function usdcAddress({ world, blockchain }: Execution): string | undefined {
  return world.store.tokens.get(fixedId(blockchain, 'USDC'))?.tokenAddress;
}

/** The contracts exist only on blockchains with a domain, so the cast is safe. */
function localDomain({ execution }: Frame): number {
  return domainOf(execution.blockchain) as number;
}

/** The contract of USDC. @throws Revert if the blockchain has none */
function usdc({ execution }: Frame) {
  const { world, blockchain } = execution;
  const address = usdcAddress(execution);
  const code = address === undefined ? undefined : codeAt(world, blockchain, address);
  if (!code) throw new Revert('Burn token not supported');
  return code;
}
