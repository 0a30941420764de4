// Lines as an editor leaves them.
namespace fixture {

	int a = 0;  // expect: tab
int b = 0;  // expect: trailing-space  
// TODO: later  // expect: todo
// FIXME  // expect: todo
const char* const text = "TODO in a string is data";
/* a block
   that says TODO  // expect: todo
*/

}  // namespace fixture
