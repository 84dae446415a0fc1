import { Interface, ZeroAddress, zeroPadValue } from 'ethers';
import { encodeFunctionData } from 'viem/utils';
import type { CallMovement } from '../../../src/domain/callMovements';
import { callDataOf } from '../../../src/evm/callData';
import { readCall } from '../../../src/evm/readCall';
import { readFunction } from '../../../src/evm/valueFunctions';

jest.mock('../../../src/evm/valueFunctions', () => {
  const actual = jest.requireActual<typeof import('../../../src/evm/valueFunctions')>(
    '../../../src/evm/valueFunctions',
  );
  return { readFunction: jest.fn(actual.readFunction) };
});

jest.mock('viem/utils', () => {
  const actual = jest.requireActual<typeof import('viem/utils')>('viem/utils');
  return { ...actual, encodeFunctionData: jest.fn(actual.encodeFunctionData) };
});

const CHAIN = 'ETH-SEPOLIA';
const USDC = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';
const TOKEN = '0xd9145CCE52D386f254917e481eB44e9943F39138';
const OWNER = '0x5B38Da6a701c568545dCfcB03FcB875f56beddC4';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const SOLANA_HEX = '0xea0a43b1e0b9e59b9a7b7cd3cbb11bbda6fc2e32ff25a1a25a0bb0e9b6b1c2d3';
const ZERO_BYTES = `0x${'0'.repeat(64)}`;
const WEI = 10n ** 18n;

/** Encodes with another library than the code that is tested. */
function encode(signature: string, values: readonly unknown[]): string {
  const contract = new Interface([`function ${signature}`]);
  return contract.encodeFunctionData(signature, values);
}

const decode = (contractAddress: string, callData: string, value = 0n, blockchain = CHAIN) =>
  readCall(blockchain, { contractAddress, callData }, value);

const erc20 = (to: string, units: number) => encode('transfer(address,uint256)', [to, units]);
const sent = (recipient: string, units: string): CallMovement => ({
  kind: 'transfer',
  recipient,
  units,
  contract: TOKEN,
});

/** A call of TOKEN, in both forms → what it does. */
const CASES: [signature: string, values: unknown[], movements: CallMovement[]][] = [
  ['transfer(address,uint256)', [TO, '250'], [sent(TO, '250')]],
  [
    'transferFrom(address,address,uint256)',
    [OWNER, TO, '7'],
    [{ kind: 'transfer', recipient: TO, owner: OWNER, unitsOrTokenId: '7', contract: TOKEN }],
  ],
  [
    'approve(address,uint256)',
    [TO, String(2n ** 256n - 1n)],
    [{ kind: 'approval', recipient: TO, unitsOrTokenId: String(2n ** 256n - 1n), contract: TOKEN }],
  ],
  ['increaseAllowance(address,uint256)', [TO, '5'], [{ kind: 'approval', recipient: TO, units: '5', contract: TOKEN }]],
  [
    'safeTransferFrom(address,address,uint256)',
    [OWNER, TO, '7'],
    [{ kind: 'transfer', recipient: TO, owner: OWNER, tokenId: '7', contract: TOKEN }],
  ],
  [
    'safeTransferFrom(address,address,uint256,bytes)',
    [OWNER, TO, '7', '0xabcd'],
    [{ kind: 'transfer', recipient: TO, owner: OWNER, tokenId: '7', contract: TOKEN }],
  ],
  ['setApprovalForAll(address,bool)', [TO, true], [{ kind: 'approval', recipient: TO, contract: TOKEN }]],
  ['setApprovalForAll(address,bool)', [TO, false], [{ kind: 'revocation', recipient: TO, contract: TOKEN }]],
  [
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    [OWNER, TO, '7', '3', '0x'],
    [{ kind: 'transfer', recipient: TO, owner: OWNER, tokenId: '7', units: '3', contract: TOKEN }],
  ],
  [
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    [OWNER, TO, ['7', '8'], ['3', '4'], '0x'],
    [
      { kind: 'transfer', recipient: TO, owner: OWNER, tokenId: '7', units: '3', contract: TOKEN },
      { kind: 'transfer', recipient: TO, owner: OWNER, tokenId: '8', units: '4', contract: TOKEN },
    ],
  ],
  [
    'depositForBurn(uint256,uint32,bytes32,address)',
    ['2500000', '6', zeroPadValue(TO.toLowerCase(), 32), USDC],
    [{ kind: 'burn', recipient: TO, destinationDomain: 6, amount: '2.5', contract: USDC }],
  ],
  [
    'depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)',
    ['2500000', '0', zeroPadValue(TO.toLowerCase(), 32), OTHER, ZERO_BYTES, '500', '1000'],
    [{ kind: 'burn', recipient: TO, destinationDomain: 0, units: '2500000', contract: OTHER }],
  ],
];

test.each(CASES)('%s of %j', (abiFunctionSignature, abiParameters, movements) => {
  const asAbi = readCall(CHAIN, { contractAddress: TOKEN.toLowerCase(), abiFunctionSignature, abiParameters }, 0n);
  expect(asAbi).toEqual({ movements });
  expect(decode(TOKEN, encode(abiFunctionSignature, abiParameters))).toEqual(asAbi);
});

test('amounts of a stablecoin are in tokens, also where the call may mean an NFT', () => {
  expect(decode(USDC, encode('approve(address,uint256)', [TO, 1_250_000])).movements).toEqual([
    { kind: 'approval', recipient: TO, amount: '1.25', contract: USDC },
  ]);
});

test('the address of a stablecoin is another token on another blockchain', () => {
  expect(decode(USDC, erc20(TO, 1_250_000), 0n, 'BASE-SEPOLIA').movements).toEqual([
    { kind: 'transfer', recipient: TO, units: '1250000', contract: USDC },
  ]);
});

test('native tokens go to the contract, whatever else the call does', () => {
  const native = { kind: 'transfer', recipient: TOKEN, amount: '0.5' };
  expect(decode(TOKEN, '0x', WEI / 2n)).toEqual({ movements: [native] });
  expect(decode(TOKEN, erc20(TO, 1), WEI / 2n)).toEqual({ movements: [native, sent(TO, '1')] });
  expect(decode(TOKEN, '0xdeadbeef', WEI / 2n)).toEqual({ movements: [native], undecoded: true });
});

test.each([
  ['Solana', 5, SOLANA_HEX, expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/)],
  ['an EVM blockchain, with more than 20 bytes', 6, SOLANA_HEX, SOLANA_HEX],
  ['an unknown blockchain', 9_999, SOLANA_HEX, SOLANA_HEX],
])('a burn names a recipient on %s', (_, domain, mintRecipient, recipient) => {
  const data = encode('depositForBurn(uint256,uint32,bytes32,address)', [1, domain, mintRecipient, TOKEN]);
  expect(decode(OTHER, data).movements).toMatchObject([{ kind: 'burn', recipient, destinationDomain: domain }]);
});

test.each<[string, string, CallMovement[]]>([
  [
    'execute(address,uint256,bytes)',
    encode('execute(address,uint256,bytes)', [TOKEN, WEI, erc20(TO, 5)]),
    [{ kind: 'transfer', recipient: TOKEN, amount: '1' }, sent(TO, '5')],
  ],
  [
    'executeBatch(address[],bytes[])',
    encode('executeBatch(address[],bytes[])', [[TOKEN, TOKEN], [erc20(TO, 5), erc20(OTHER, 6)]]), // prettier-ignore
    [sent(TO, '5'), sent(OTHER, '6')],
  ],
  [
    'executeBatch(address[],uint256[],bytes[])',
    encode('executeBatch(address[],uint256[],bytes[])', [[TO, TOKEN], [WEI, 0], ['0x', erc20(OTHER, 6)]]), // prettier-ignore
    [{ kind: 'transfer', recipient: TO, amount: '1' }, sent(OTHER, '6')],
  ],
  [
    'executeBatch without values',
    encode('executeBatch(address[],uint256[],bytes[])', [[TOKEN], [], [erc20(TO, 5)]]),
    [sent(TO, '5')],
  ],
  [
    'executeBatch of tuples',
    encode('executeBatch((address,uint256,bytes)[])', [[[TOKEN, 0, erc20(TO, 5)]]]),
    [sent(TO, '5')],
  ],
  ['multicall(bytes[])', encode('multicall(bytes[])', [[erc20(TO, 5), erc20(OTHER, 6)]]), [sent(TO, '5'), sent(OTHER, '6')]], // prettier-ignore
  ['multicall with a deadline', encode('multicall(uint256,bytes[])', [1, [erc20(TO, 5)]]), [sent(TO, '5')]],
  [
    'a batch in a batch',
    encode('execute(address,uint256,bytes)', [TOKEN, 0, encode('multicall(bytes[])', [[erc20(TO, 5)]])]),
    [sent(TO, '5')],
  ],
])('%s is decoded to the calls in it', (_, callData, movements) => {
  expect(decode(TOKEN, callData)).toEqual({ movements });
});

describe('a call is undecoded', () => {
  /** @param domain 64 hexadecimal digits */
  const burnTo = (domain: string): string => {
    const data = encode('depositForBurn(uint256,uint32,bytes32,address)', [1, 6, zeroPadValue(TO, 32), TOKEN]);
    return data.replace('6'.padStart(64, '0'), domain);
  };
  const nested = (levels: number): string =>
    levels === 0 ? erc20(TO, 5) : encode('multicall(bytes[])', [[nested(levels - 1)]]);
  const many = encode('multicall(bytes[])', [Array.from({ length: 101 }, () => erc20(TO, 5))]);

  test.each<[string, string, number]>([
    ['if its function is unknown', encode('stake(uint256)', [1]), 0],
    ['if it is shorter than a selector', '0xa9', 0],
    ['if its arguments are cut off', erc20(TO, 5).slice(0, 100), 0],
    ['if a call in it is unknown, beside a known one', encode('multicall(bytes[])', [[erc20(TO, 5), '0xdeadbeef']]), 1],
    ['if the lists of a batch differ', encode('executeBatch(address[],bytes[])', [[TOKEN, TOKEN], ['0x']]), 0],
    ['if the domain of a burn has more than 32 bits', burnTo('1'.padStart(56, '0') + '00000006'), 0],
    ['if it nests too deeply', nested(5), 0],
    ['if it moves more than is shown', many, 100],
  ])('%s', (_, callData, shown) => {
    const { movements, undecoded } = decode(TOKEN, callData);
    expect(undecoded).toBe(true);
    expect(movements).toHaveLength(shown);
  });

  test('but not if it nests as deeply as is decoded', () => {
    expect(decode(TOKEN, nested(4))).toEqual({ movements: [sent(TO, '5')] });
  });
});

describe('the work of decoding is bounded', () => {
  const multicall = (calls: readonly string[]) => encode('multicall(bytes[])', [calls]);
  const NOTHING = multicall([]);
  const word = (value: number) => value.toString(16).padStart(64, '0');

  /** A list of calls with the same data, which is in it only once. */
  function shared(count: number, data: string): string {
    const hex = data.slice(2);
    const padded = hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
    const list = word(count) + word(count * 32).repeat(count) + word(hex.length / 2) + padded;
    return NOTHING.slice(0, 10) + word(32) + list;
  }

  const decoded = (callData: string) => {
    jest.mocked(readFunction).mockClear();
    const call = decode(TOKEN, callData);
    return { call, count: jest.mocked(readFunction).mock.calls.length };
  };

  test('at 256 calls', () => {
    const calls = (count: number) => multicall(Array.from({ length: count }, () => NOTHING));
    expect(decoded(calls(255))).toEqual({ call: { movements: [] }, count: 256 });
    expect(decoded(calls(256))).toEqual({ call: { movements: [], undecoded: true }, count: 256 });
  });

  test('if calls share their data, which would make a million of them', () => {
    const million = [1, 2, 3, 4].reduce((data) => shared(31, data), NOTHING);
    expect(million.length).toBeLessThan(12_000);
    expect(decoded(million)).toEqual({ call: { movements: [], undecoded: true }, count: 256 });
  });

  test('if calls share much data', () => {
    const { call, count } = decoded(shared(25, `${NOTHING}${'00'.repeat(20_000)}`));
    expect(call).toEqual({ movements: [], undecoded: true });
    expect(count).toBeLessThan(20);
  });
});

const PARAMETERS = 'abiParameters';
const SIGNATURE = 'abiFunctionSignature';

test.each<[string, string, unknown[], string, RegExp]>([
  ['too few values', 'transfer(address,uint256)', [TO], PARAMETERS, /has 1 values, but the function has 2/],
  ['too many values', 'pause()', [1], PARAMETERS, /has 1 values, but the function has 0/],
  ['no address', 'transfer(address,uint256)', ['nowhere', '1'], PARAMETERS, /value 1 is not of the type address/],
  ['a wrong checksum', 'transfer(address,uint256)', [TO.replace('aA', 'Aa'), '1'], PARAMETERS, /value 1/],
  ['a fraction', 'transfer(address,uint256)', [TO, '1.5'], PARAMETERS, /value 2 is not of the type uint256/],
  ['a number that is not exact', 'transfer(address,uint256)', [TO, 2 ** 60], PARAMETERS, /value 2/],
  ['a hexadecimal number', 'transfer(address,uint256)', [TO, '0x10'], PARAMETERS, /value 2/],
  ['a negative uint', 'transfer(address,uint256)', [TO, '-1'], PARAMETERS, /value 2/],
  ['a number that is too large', 'f(uint8)', ['256'], PARAMETERS, /value 1 is not of the type uint8/],
  ['a text as a bool', 'setApprovalForAll(address,bool)', [TO, 'true'], PARAMETERS, /value 2 is not of the type bool/],
  ['too short bytes', 'f(bytes32)', ['0xab'], PARAMETERS, /value 1 is not of the type bytes32/],
  ['odd bytes', 'f(bytes)', ['0xabc'], PARAMETERS, /value 1 is not of the type bytes/],
  ['bytes with another prefix', 'f(bytes)', ['0XAB'], PARAMETERS, /value 1 is not of the type bytes/],
  ['fixed bytes with another prefix', 'f(bytes4)', ['0XABCDEF01'], PARAMETERS, /value 1 is not of the type bytes4/],
  ['null', 'f(string)', [null], PARAMETERS, /value 1 is not of the type string/],
  ['an entry of a list', 'f(uint256[])', [['1', 'x']], PARAMETERS, /value 1, entry 2, is not of the type uint256/],
  ['a list of another length', 'f(uint256[2])', [['1']], PARAMETERS, /value 1 is not of the type uint256\[2\]/],
  [
    'a tuple as an object',
    'f((address,uint256))',
    [{ to: TO, value: '1' }],
    PARAMETERS,
    /value 1 is not of the type tuple/,
  ],
  ['no signature', 'transfer', [TO, '1'], SIGNATURE, /is not the canonical signature/],
  ['an unknown type', 'f(money)', ['1'], SIGNATURE, /is not the canonical signature/],
  ['spaces', 'transfer(address, uint256)', [TO, '1'], SIGNATURE, /is not the canonical signature/],
  ['an alias of a type', 'transfer(address,uint)', [TO, '1'], SIGNATURE, /is not the canonical signature/],
  ['names', 'transfer(address to,uint256 amount)', [TO, '1'], SIGNATURE, /is not the canonical signature/],
])('%s is refused with field and remedy', (_, abiFunctionSignature, abiParameters, field, message) => {
  const read = () => readCall(CHAIN, { contractAddress: TOKEN, abiFunctionSignature, abiParameters }, 0n);
  expect(read).toThrow(
    expect.objectContaining({ field, message: expect.stringMatching(message), remedy: expect.stringMatching(/\w/) }),
  );
});

test('any other error of the encoder is a refusal too', () => {
  jest.mocked(encodeFunctionData).mockImplementationOnce(() => {
    throw new TypeError('The encoder does not take this');
  });
  const encoding = () => callDataOf({ abiFunctionSignature: 'f(uint8)', abiParameters: ['1'] });
  expect(encoding).toThrow(
    expect.objectContaining({ field: PARAMETERS, message: 'cannot be encoded for the function', remedy: expect.stringMatching(/callData/) }), // prettier-ignore
  );
});

test('a contract address with a wrong checksum is refused', () => {
  expect(() => decode(TO.replace('aA', 'Aa'), '0x')).toThrow(expect.objectContaining({ field: 'contractAddress' }));
});

test('the remedy of a signature in another form is its canonical form', () => {
  const call = { contractAddress: TOKEN, abiFunctionSignature: 'transfer(address to, uint amount)' };
  expect(() => readCall(CHAIN, call, 0n)).toThrow(
    expect.objectContaining({ remedy: 'write transfer(address,uint256)' }),
  );
});

test.each<[string, unknown[]]>([
  ['f(address,uint8,int16,bool,string,bytes,bytes4)', [ZeroAddress, 5, '-3', true, 'é', '0xABcd', '0x01020304']],
  ['f(uint256[],uint256[2],(address,(bool,string)[])[])', [[], ['1', 2], [[TO, [[false, '']]]]]],
])('%s is encoded as another library encodes it', (abiFunctionSignature, abiParameters) => {
  expect(callDataOf({ abiFunctionSignature, abiParameters })).toBe(encode(abiFunctionSignature, abiParameters));
});
