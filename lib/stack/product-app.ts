// The library's own index loads every service, and that adds 300 ms to a start.
import { App, type AppProps } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import type { Declarations, ProductModule, Question } from '../contract/declarations.ts';
import type { Product } from '../contract/product.ts';
import type { Environment } from '../contract/register.ts';
import type { Settings } from '../contract/settings.ts';

/** The app of a product. Every construct in it finds the product's facts and declarations here. */
export class ProductApp extends App {
  readonly product: Product;
  readonly declarations: Declarations;
  readonly questions: readonly Question[];

  constructor({ product, declarations, questions = [] }: ProductModule, props: AppProps) {
    super(props);
    this.product = product;
    this.declarations = declarations;
    this.questions = questions;
  }
}

/** @throws an Error where the construct is in no app of a product */
export function productOf(construct: IConstruct): ProductApp {
  const { root } = construct.node;
  if (!(root instanceof ProductApp)) throw new Error(`${construct.node.path} is not in the app of a product`);
  return root;
}

/** @throws an Error where the product has no such environment */
export function settingsOf(construct: IConstruct, environment: Environment): Settings {
  return found(productOf(construct).product.environments, environment);
}

/** @throws an Error where the product has no such application */
export function deploymentOf(construct: IConstruct, application: string) {
  return found(productOf(construct).product.applications, application);
}

function found<T>(facts: Readonly<Record<string, T>>, name: string): T {
  const fact = facts[name];
  if (!fact) throw new Error(`the product has no ${name}`);
  return fact;
}
