const find = (name: string): HTMLTemplateElement | null =>
  document.querySelector(`template[data-template="${name}"]`);

export const hasTemplate = (name: string): boolean => find(name) !== null;

/** A copy of what stands in `<template data-template="name">`; a page without it is a mistake of ours. */
export function copyTemplate(name: string): HTMLElement {
  const copy = find(name)?.content.firstElementChild?.cloneNode(true);
  if (!(copy instanceof HTMLElement)) throw new Error(`There is no template '${name}' in this page.`);
  return copy;
}
