import type { Connection } from '@temporalio/client';
import { defineSearchAttributeKey, type SearchAttributeType } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { SEARCH_ATTRIBUTES, type SearchAttributeName } from '../domain/searchAttributes';

const KEYWORD = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

/** gRPC status code, if another process has registered the attribute at the same moment. */
const ALREADY_EXISTS = 6;

const keyword = <N extends SearchAttributeName>(name: N) => defineSearchAttributeKey(name, 'KEYWORD');

/** The typed keys for clients. Workflows define their own from the same names. */
export const searchAttributeKeys = {
  kind: keyword(SEARCH_ATTRIBUTES.kind),
  step: keyword(SEARCH_ATTRIBUTES.step),
  attention: keyword(SEARCH_ATTRIBUTES.attention),
  outcome: keyword(SEARCH_ATTRIBUTES.outcome),
  entity: keyword(SEARCH_ATTRIBUTES.entity),
} satisfies Record<keyof typeof SEARCH_ATTRIBUTES, { name: string; type: SearchAttributeType }>;

/** The namespace has one of the search attributes with another type. Only an operator can remove it. */
export class SearchAttributeTypeError extends Error {
  override readonly name = 'SearchAttributeTypeError';
}

/**
 * The search attributes that the namespace does not have. A worker checks this at startup, because a missing attribute
 * would fail every workflow task that sets it.
 *
 * @throws SearchAttributeTypeError
 */
export async function missingSearchAttributes(
  connection: Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<SearchAttributeName[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.values(SEARCH_ATTRIBUTES).filter((name) => {
    const type = customAttributes?.[name];
    if (type === undefined || type === null) return true;
    if (type === KEYWORD) return false;
    throw new SearchAttributeTypeError(
      `Search attribute "${name}" of namespace "${namespace}" is not of type Keyword. Remove it with ` +
        `\`temporal operator search-attribute remove --name ${name}\`, or use another namespace.`,
    );
  });
}

/**
 * Registers the missing search attributes. It may be repeated, and run in several processes at the same time. A server
 * may take some seconds until a new attribute is usable everywhere.
 *
 * @returns the names that were added
 * @throws SearchAttributeTypeError
 */
export async function registerSearchAttributes(
  connection: Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<SearchAttributeName[]> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    if ((error as { code?: number }).code !== ALREADY_EXISTS) throw error;
  }
  return missing;
}
