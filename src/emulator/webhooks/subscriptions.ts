/** A webhook subscription as the API shows it. */
export interface Subscription {
  id: string;
  name: string;
  endpoint: string;
  enabled: boolean;
  /** Whether it is limited to some types. */
  restricted: boolean;
  notificationTypes: string[];
  createDate: string;
  updateDate: string;
}

const ALL = '*';
/** The API has separate limits for testnets and mainnets (docs/api-behavior.md#webhooks). A world has only one kind. */
const MAX_SUBSCRIPTIONS = 20;

/** The webhook subscriptions of a world, by id. */
export class Subscriptions {
  readonly #byId = new Map<string, Subscription>();

  add({
    id,
    endpoint,
    notificationTypes = [ALL],
    at,
  }: {
    id: string;
    endpoint: string;
    notificationTypes?: string[] | undefined;
    at: Date;
  }): Subscription {
    const date = at.toISOString();
    const subscription: Subscription = {
      id,
      name: `subscription ${this.#byId.size + 1}`,
      endpoint,
      enabled: true,
      restricted: !notificationTypes.includes(ALL),
      notificationTypes,
      createDate: date,
      updateDate: date,
    };
    this.#byId.set(id, subscription);
    return subscription;
  }

  isFull(): boolean {
    return this.#byId.size >= MAX_SUBSCRIPTIONS;
  }

  list(): Subscription[] {
    return [...this.#byId.values()];
  }

  find(id: string): Subscription | undefined {
    return this.#byId.get(id);
  }

  /** Returns false if no subscription has this id. */
  remove(id: string): boolean {
    return this.#byId.delete(id);
  }

  /** The enabled subscriptions that include a type. */
  matching(type: string): Subscription[] {
    return this.list().filter(
      ({ enabled, notificationTypes }) => enabled && notificationTypes.some((pattern) => matchesType(pattern, type)),
    );
  }
}

/** Whether a pattern matches a type: by its full name, by its group (`transactions.*`) or by `*`. */
export function matchesType(pattern: string, type: string): boolean {
  return pattern === ALL || pattern === type || pattern === `${type.split('.')[0]}.*`;
}
