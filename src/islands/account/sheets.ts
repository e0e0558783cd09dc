/*
 * The style sheets of this island. Its pages import this module and get the styles inline. The components must not
 * import them, because a script that is loaded later would request them as files, which do not exist.
 */
import '#styles/button.css';
import './account.css';
import '#islands/ui/spinner.css';
import '#styles/skeleton.css';
