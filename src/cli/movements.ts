import type { CallMovement, DecodedCall } from '../domain/callMovements';
import { findDomain } from '../domain/cctp';

/** What a contract call does, one line for each movement. */
export function callLines({ movements, undecoded }: DecodedCall): string[] {
  return [
    ...movements.map(movementText),
    ...(undecoded ? ['the call may do more: it has a function that is not known'] : []),
  ];
}

function movementText(movement: CallMovement): string {
  const { kind, recipient, owner, destinationDomain } = movement;
  const from = owner === undefined ? '' : ` from ${owner}`;
  const domain =
    destinationDomain === undefined
      ? undefined
      : (findDomain(destinationDomain)?.name ?? `domain ${destinationDomain}`);
  const what = `${movedText(movement)}${from}`;
  switch (kind) {
    case 'transfer':
      return `${recipient} receives ${what}`;
    case 'approval':
      return `${recipient} may take ${what}`;
    case 'revocation':
      return `${recipient} may no longer take ${what}`;
    case 'burn':
      return `${recipient} on ${domain} receives ${what}, which is burned`;
  }
}

/** `250 of the token 0x…`, `NFT 7 of 0x…`, `0.5 in native tokens` */
function movedText({ contract, amount, units, tokenId, unitsOrTokenId }: CallMovement): string {
  const token = contract === undefined ? 'native tokens' : `token ${contract}`;
  if (tokenId !== undefined) return `NFT ${tokenId} of ${contract}${units === undefined ? '' : ` (${units} of them)`}`;
  if (amount !== undefined) return `${amount} of ${token}`;
  if (units !== undefined) return `${units} units of ${token}`;
  if (unitsOrTokenId !== undefined) return `${unitsOrTokenId} units or NFT ${unitsOrTokenId} of ${token}`;
  return `every NFT of ${contract}`;
}
