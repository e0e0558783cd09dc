/** Copies the element in `<template data-template="name">`. Throws if the page has no such template. */
export function copyTemplate(name: string): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-template="${name}"]`);
  const copy = template?.content.firstElementChild?.cloneNode(true);
  if (!(copy instanceof HTMLElement)) throw new Error(`There is no template '${name}' in this page.`);
  return copy;
}
